"""Providers by protocol, what their models can do and cost from a day on, and how a test went."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import builder.models.ids


def rate(told: str) -> str:
    """Return a rate in the length of its column; of more than 24 decimals the last are left out."""
    return told if len(told) <= 32 else f"{Decimal(told):f}"[:32].rstrip(".")


def price_by_day(apps: Any, editor: Any) -> None:
    """Keep the prices that stood with providers as lines that hold from the day they were set."""
    here = editor.connection.alias
    price = apps.get_model("builder", "ModelPrice")
    for row in apps.get_model("builder", "AcceptedProvider").objects.using(here).iterator():
        price.objects.using(here).bulk_create(
            price(
                workspace_id=row.workspace_id,
                provider=row.provider,
                pattern=name,
                from_date=datetime.date.fromisoformat(told["dated"]),
                input=rate(told["input_per_million"]),
                output=rate(told["output_per_million"]),
            )
            for name, told in (row.prices or {}).items()
        )


class Migration(migrations.Migration):
    dependencies = [("builder", "0036_trigger_notices")]

    operations = [
        migrations.AddField(
            "acceptedprovider",
            "protocol",
            models.CharField(db_default="openai_chat", default="openai_chat", max_length=32),
        ),
        migrations.AddField("acceptedprovider", "extra_body", models.JSONField(db_default={}, default=dict)),
        migrations.AddField("acceptedprovider", "capabilities", models.JSONField(db_default={}, default=dict)),
        migrations.CreateModel(
            name="ModelPrice",
            fields=[
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
                ("provider", models.CharField(max_length=64)),
                ("pattern", models.CharField(max_length=200)),
                ("from_date", models.DateField()),
                ("input", models.CharField(max_length=32)),
                ("output", models.CharField(max_length=32)),
                ("cached", models.CharField(blank=True, max_length=32)),
                ("set_at", models.DateTimeField(auto_now=True)),
                (
                    "set_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="model_prices",
                        to="builder.workspace",
                    ),
                ),
            ],
            options={"ordering": ("provider", "pattern", "-from_date")},
        ),
        migrations.AddConstraint(
            "modelprice",
            models.UniqueConstraint(
                fields=("workspace", "provider", "pattern", "from_date"), name="price_once_a_day"
            ),
        ),
        migrations.CreateModel(
            name="ProviderTrial",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("provider", models.CharField(max_length=64)),
                ("model", models.CharField(max_length=300)),
                ("at", models.DateTimeField()),
                ("first_token_ms", models.PositiveIntegerField(null=True)),
                ("total_ms", models.PositiveIntegerField()),
                ("error", models.CharField(blank=True, max_length=600)),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="provider_trials",
                        to="builder.workspace",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            "providertrial",
            models.UniqueConstraint(fields=("workspace", "provider"), name="trial_of_provider"),
        ),
        migrations.RunPython(price_by_day, migrations.RunPython.noop),
        migrations.RemoveField("acceptedprovider", "prices"),
    ]
