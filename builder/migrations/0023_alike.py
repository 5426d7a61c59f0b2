"""By what items of the inbox are compared: step, time of decision, values; and views that are saved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import django.db.models.deletion
import orjson
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import builder.models.ids
from builder.base.item_card import fields_of
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

PAGE = 500


def note_steps(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Write of every item the step, when it was decided, and its short values."""
    alias = editor.connection.alias
    interrupts = apps.get_model("builder", "Interrupt").objects.using(alias)
    ids = list(interrupts.order_by("opened_at", "pk").values_list("pk", flat=True))
    for first in range(0, len(ids), PAGE):
        rows = list(interrupts.filter(pk__in=ids[first : first + PAGE]).order_by("opened_at", "pk"))
        runs = _runs(apps, alias, rows)
        _note_cards(apps, alias, rows, runs)
        _note_fields(apps, alias, rows, runs)


def _runs(apps: Apps, alias: str, rows: list[Any]) -> dict[str, Any]:
    found = apps.get_model("builder", "Run").objects.using(alias)
    return {run.pk: run for run in found.filter(pk__in={row.run for row in rows})}


def _note_cards(apps: Apps, alias: str, rows: list[Any], runs: dict[str, Any]) -> None:
    cards = apps.get_model("builder", "InterruptCard").objects.using(alias)
    by_id = {row.pk: row for row in rows}
    changed = list(cards.filter(pk__in=by_id))
    for card in changed:
        row = by_id[card.pk]
        run = runs.get(row.run)
        card.step = f"{run.graph_id}:{row.node}" if run is not None and run.graph_id else ""
        card.decided_at = row.decided_at
    cards.bulk_update(changed, ["step", "decided_at"])


def _note_fields(apps: Apps, alias: str, rows: list[Any], runs: dict[str, Any]) -> None:
    field: Any = apps.get_model("builder", "InterruptField")
    shown = dict(_shown(apps, alias, rows, runs))
    field.objects.using(alias).bulk_create(
        field(interrupt_id=row.pk, name=name, text=text, number=number)
        for row in rows
        for name, (text, number) in fields_of(shown.get(row.pk)).items()
    )


def _shown(
    apps: Apps, alias: str, rows: list[Any], runs: dict[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield what each item showed; large values outside the log are left out."""
    places = {
        runs[row.run].number * EVENTS_PER_RUN + row.opened_seq: row.pk
        for row in rows
        if row.run in runs and runs[row.run].number is not None
    }
    events = apps.get_model("builder", "RunEvent").objects.using(alias)
    for event in events.filter(pk__in=places):
        request = orjson.loads(bytes(event.data)).get("request")
        if isinstance(request, dict):
            yield places[event.pk], request.get("data")


class Migration(migrations.Migration):
    dependencies = [
        ("builder", "0022_operator"),
    ]

    operations = [
        migrations.AddField(
            model_name="interruptcard",
            name="risk",
            field=models.FloatField(null=True),
        ),
        migrations.AddField(
            model_name="interruptcard",
            name="step",
            field=models.CharField(db_default="", default="", max_length=200),
        ),
        migrations.AddField(
            model_name="interruptcard",
            name="decided_at",
            field=models.BigIntegerField(null=True),
        ),
        migrations.CreateModel(
            name="InterruptField",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("text", models.CharField(max_length=100)),
                ("number", models.FloatField(null=True)),
                (
                    "interrupt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fields",
                        to="builder.interrupt",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SavedView",
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
                ("name", models.CharField(max_length=60)),
                ("query", models.JSONField()),
                ("shared", models.BooleanField(default=False)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_views",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_views",
                        to="builder.workspace",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="savedview",
            constraint=models.UniqueConstraint(
                fields=("workspace", "user", "name"), name="one_view_each"
            ),
        ),
        migrations.AddIndex(
            model_name="interruptcard",
            index=models.Index(
                condition=models.Q(("decided_at__isnull", False)),
                fields=["step", "-decided_at"],
                name="card_of_step",
            ),
        ),
        migrations.AddIndex(
            model_name="interruptfield",
            index=models.Index(fields=["name", "text", "-id"], name="field_alike"),
        ),
        migrations.AddConstraint(
            model_name="interruptfield",
            constraint=models.UniqueConstraint(
                fields=("interrupt", "name"), name="one_field_each"
            ),
        ),
        migrations.RunPython(note_steps, migrations.RunPython.noop),
    ]
