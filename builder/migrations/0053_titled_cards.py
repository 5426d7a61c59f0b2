"""Items are found by what their runs started with: the words of its first line, of those there are."""

from __future__ import annotations

from typing import Any

import orjson
from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from builder.base.run_text import title_of, words_of
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

PAGE = 500


def add_titles(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Add to the words of every item those of its run's title that it does not show."""
    alias = editor.connection.alias
    cards = apps.get_model("builder", "InterruptCard").objects.using(alias)
    last = ""
    while True:
        rows = cards.filter(pk__gt=last).select_related("interrupt").order_by("pk")
        found = list(rows[:PAGE])
        if not found:
            return
        last = found[-1].pk
        titles = _titles(apps, alias, {card.interrupt.run for card in found})
        changed = []
        for card in found:
            more = [
                word
                for word in words_of(titles.get(card.interrupt.run, "")).split()
                if f" {word} " not in card.words
            ]
            if more:
                card.words = f"{card.words.rstrip()} {' '.join(more)} "
                changed.append(card)
        cards.bulk_update(changed, ["words"])


def _titles(apps: Apps, alias: str, ids: set[str]) -> dict[str, str]:
    runs = apps.get_model("builder", "Run").objects.using(alias)
    numbers = dict(runs.filter(pk__in=ids, number__isnull=False).values_list("number", "pk"))
    events = apps.get_model("builder", "RunEvent").objects.using(alias)
    places = {number * EVENTS_PER_RUN + 1: run for number, run in numbers.items()}
    return {
        places[event.pk]: title_of(_given(apps, alias, orjson.loads(bytes(event.data))))
        for event in events.filter(pk__in=places)
    }


def _given(apps: Apps, alias: str, started: Any) -> Any:
    """Return what a run was started with; nothing where it is kept apart and gone."""
    given = started.get("input") if isinstance(started, dict) else None
    if not isinstance(given, dict) or "$blob" not in given:
        return given
    blob = apps.get_model("builder", "Blob").objects.using(alias).filter(pk=given["$blob"]).first()
    return None if blob is None else orjson.loads(bytes(blob.data))


class Migration(migrations.Migration):
    dependencies = [
        ("builder", "0052_calls_for_money"),
    ]

    operations = [
        migrations.RunPython(add_titles, migrations.RunPython.noop),
    ]
