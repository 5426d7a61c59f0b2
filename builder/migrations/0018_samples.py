"""Named inputs for test runs, beside the draft of their graph."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import builder.models.ids


class Migration(migrations.Migration):
    dependencies = [("builder", "0017_accepted_definitions")]

    operations = [
        migrations.CreateModel(
            "Sample",
            [
                (
                    "id",
                    models.CharField(
                        default=builder.models.ids.new_id,
                        editable=False,
                        max_length=36,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("input", models.JSONField(null=True)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                (
                    "changed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "graph",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="samples",
                        to="builder.graph",
                    ),
                ),
            ],
            options={
                "ordering": ("name",),
                "constraints": [
                    models.UniqueConstraint(fields=("graph", "name"), name="sample_name_in_graph")
                ],
            },
        ),
    ]
