"""Accepted tools by `source/name`, with the definition that was agreed to."""

from __future__ import annotations

from django.db import migrations, models

UNREACHABLE = "DELETE FROM builder_acceptedtool WHERE name NOT LIKE '%%/%%'"
"""Rows under a bare name were written by a request that no call ever asked for."""


class Migration(migrations.Migration):
    dependencies = [("builder", "0016_own_providers")]

    operations = [
        migrations.AddField(
            "acceptedtool", "definition", models.JSONField(null=True, blank=True)
        ),
        migrations.RunSQL([(UNREACHABLE, [])], migrations.RunSQL.noop),
    ]
