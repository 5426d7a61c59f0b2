"""Decisions that can be taken back, for how long, and what the inbox sorts and searches by."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
import orjson
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q

from builder.base.item_card import amount_of, rules_of, title_of, words_in
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

PAGE = 500


def add_cards(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Read what every interrupt asked; large values outside the log are left out."""
    alias = editor.connection.alias
    interrupts = apps.get_model("builder", "Interrupt").objects.using(alias)
    last = ""
    while True:
        rows = list(interrupts.filter(pk__gt=last).order_by("pk")[:PAGE])
        if not rows:
            return
        last = rows[-1].pk
        asked = _asked(apps, alias, rows)
        card: Any = apps.get_model("builder", "InterruptCard")
        card.objects.using(alias).bulk_create(
            card(
                interrupt_id=row.pk,
                title=title_of(asked.get(row.pk, {}), row.node),
                amount=amount_of(asked.get(row.pk, {}).get("data")),
                words=words_in(asked.get(row.pk, {}), row.node),
                four_eyes=rules_of(asked.get(row.pk, {})),
            )
            for row in rows
        )


def _asked(apps: Apps, alias: str, rows: list[Any]) -> dict[str, dict[str, Any]]:
    """Return the requests of interrupts by their ids."""
    runs = apps.get_model("builder", "Run").objects.using(alias)
    numbers = dict(runs.filter(pk__in={row.run for row in rows}).values_list("pk", "number"))
    places = {
        numbers[row.run] * EVENTS_PER_RUN + row.opened_seq: row.pk
        for row in rows
        if numbers.get(row.run) is not None
    }
    events = apps.get_model("builder", "RunEvent").objects.using(alias)
    found: dict[str, dict[str, Any]] = {}
    for event in events.filter(pk__in=places):
        request = orjson.loads(bytes(event.data)).get("request")
        if isinstance(request, dict):
            found[places[event.pk]] = request
    return found


class Migration(migrations.Migration):
    dependencies = [
        ("builder", "0018_samples"),
    ]

    operations = [
        migrations.CreateModel(
            name="HoldChoice",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="hold_choice",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("seconds", models.PositiveSmallIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="InterruptCard",
            fields=[
                (
                    "interrupt",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="card",
                        serialize=False,
                        to="builder.interrupt",
                    ),
                ),
                ("title", models.CharField(max_length=300)),
                ("amount", models.FloatField(null=True)),
                ("words", models.TextField()),
                ("four_eyes", models.CharField(blank=True, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="HeldDecision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("content_hash", models.CharField(max_length=64)),
                ("answer", models.JSONField()),
                ("made_at", models.BigIntegerField()),
                ("commit_at", models.BigIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("held", "Held"),
                            ("sending", "Sending"),
                            ("sent", "Sent"),
                            ("withdrawn", "Withdrawn"),
                            ("refused", "Refused"),
                        ],
                        default="held",
                        max_length=16,
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("code", models.CharField(blank=True, max_length=64)),
                ("detail", models.CharField(blank=True, max_length=1000)),
                (
                    "interrupt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="held",
                        to="builder.interrupt",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="held",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=Q(("state__in", ("held", "sending"))),
                        fields=["commit_at"],
                        name="held_due",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=Q(("state__in", ("held", "sending"))),
                        fields=("interrupt", "user"),
                        name="one_held_each",
                    )
                ],
            },
        ),
        migrations.RunPython(add_cards, migrations.RunPython.noop),
    ]
