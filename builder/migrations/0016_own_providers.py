"""Model servers of one's own: prices per model, and headers that are sealed like keys."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("builder", "0015_doors")]

    operations = [
        migrations.AddField("acceptedprovider", "prices", models.JSONField(null=True)),
        migrations.AddField(
            "acceptedprovider", "sealed_headers", models.BinaryField(null=True, editable=False)
        ),
    ]
