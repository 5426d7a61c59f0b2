"""Alerts, what each run spent on which day, and the tags of runs; both filled from the runs there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import django.db.models.deletion
import orjson
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import builder.models.ids
from engine.core.budgets.money import pico
from engine.core.state.events import node_of
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

PAGE = 500
MAX_TAGS = 20


def fill(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Write what the logs of runs say of their spending and their start, the oldest first."""
    alias = editor.connection.alias
    zones = {
        row.pk: ZoneInfo(row.settings.get("timezone") or "UTC")
        for row in apps.get_model("builder", "Workspace").objects.using(alias)
    }
    spending = apps.get_model("builder", "RunSpending")
    tags = apps.get_model("builder", "RunTag")
    for run in _runs(apps, alias):
        log = _Log(apps, alias, run.number)
        rows = log.spent(run.pk, zones[run.workspace_id]) if run.spent_tokens else []
        spending.objects.using(alias).bulk_create([spending(**row) for row in rows])
        tags.objects.using(alias).bulk_create([tags(**row) for row in log.tags()])


def _runs(apps: Apps, alias: str) -> Iterator[Any]:
    rows = apps.get_model("builder", "Run").objects.using(alias).order_by("number")
    last = -1
    while page := list(rows.filter(number__gt=last)[:PAGE]):
        yield from page
        last = page[-1].number


class _Log:
    def __init__(self, apps: Apps, alias: str, number: int) -> None:
        first = number * EVENTS_PER_RUN
        events = apps.get_model("builder", "RunEvent").objects.using(alias)
        self._number = number
        self._rows = events.filter(place__gt=first, place__lt=first + EVENTS_PER_RUN)

    def spent(self, run: str, zone: ZoneInfo) -> list[dict[str, Any]]:
        sums: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        steps = self._rows.filter(type__in=("StepCompleted", "StepFailed"))
        for kind, at, key, raw in steps.values_list("type", "at", "key", "data"):
            data = orjson.loads(bytes(raw))
            tokens = data.get("tokens") or 0
            amount = pico(Decimal(data.get("cost_usd") or 0)) or 0
            if not data.get("hold") or (kind == "StepFailed" and not tokens and not amount):
                continue
            day = datetime.fromtimestamp(at / 1000, zone).date().isoformat()
            agent, model = (data.get("agent") or "")[:128], (data.get("model") or "")[:200]
            found = sums[(day, node_of(key or "")[:128], agent, model)]
            more = (1, 1 if data.get("unpriced") else 0, tokens, amount)
            found[:] = [a + b for a, b in zip(found, more, strict=True)]
        names = ("day", "node", "agent", "model")
        counts = ("calls", "unpriced", "tokens", "pico")
        return [
            {
                "run": run,
                **dict(zip(names, where, strict=True)),
                **dict(zip(counts, n, strict=True)),
            }
            for where, n in sums.items()
        ]

    def tags(self) -> list[dict[str, Any]]:
        raw = self._rows.order_by("place").values_list("data", flat=True).first()
        given = orjson.loads(bytes(raw)).get("metadata") if raw else None
        pairs = list(given.items())[:MAX_TAGS] if isinstance(given, dict) else []
        cut = {name[:64]: str(value)[:200] for name, value in pairs}
        return [{"number": self._number, "name": n, "value": v} for n, v in cut.items()]


class Migration(migrations.Migration):
    dependencies = [("builder", "0021_pins")]

    operations = [
        migrations.CreateModel(
            name="AlertRule",
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
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("failures", "Failures"),
                            ("spend", "Spend"),
                            ("budget", "Budget"),
                            ("waiting", "Waiting"),
                            ("stuck", "Stuck"),
                            ("in_doubt", "In Doubt"),
                            ("provider_down", "Provider Down"),
                        ],
                        max_length=16,
                    ),
                ),
                ("threshold", models.BigIntegerField()),
                ("window_minutes", models.IntegerField(default=60)),
                ("to", models.JSONField(default=list)),
                ("muted_until", models.BigIntegerField(null=True)),
                ("made_at", models.BigIntegerField()),
                (
                    "graph",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="alert_rules",
                        to="builder.graph",
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="alert_rules",
                        to="builder.workspace",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Alert",
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
                ("opened_at", models.BigIntegerField()),
                ("closed_at", models.BigIntegerField(null=True)),
                ("value", models.BigIntegerField()),
                ("looked_at", models.BigIntegerField()),
                ("told_at", models.BigIntegerField(null=True)),
                (
                    "rule",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="alerts",
                        to="builder.alertrule",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["rule", "-opened_at"], name="alert_recent")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("closed_at__isnull", True)),
                        fields=("rule",),
                        name="one_open_alert",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RunSpending",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("run", models.CharField(max_length=36)),
                ("day", models.CharField(max_length=10)),
                ("node", models.CharField(max_length=128)),
                ("agent", models.CharField(max_length=128)),
                ("model", models.CharField(max_length=200)),
                ("calls", models.BigIntegerField(default=0)),
                ("unpriced", models.BigIntegerField(default=0)),
                ("tokens", models.BigIntegerField(default=0)),
                ("pico", models.BigIntegerField(default=0)),
            ],
            options={
                "verbose_name_plural": "run spending",
                "indexes": [models.Index(fields=["day", "node"], name="run_spending_of_day")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("run", "day", "node", "agent", "model"), name="one_sum_of_a_run"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RunTag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.BigIntegerField()),
                ("name", models.CharField(max_length=64)),
                ("value", models.CharField(max_length=200)),
            ],
            options={
                "indexes": [models.Index(fields=["name", "value"], name="run_tag")],
                "constraints": [
                    models.UniqueConstraint(fields=("number", "name"), name="one_tag_of_a_name")
                ],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
