"""Runs are no longer found by pieces of their ids: the words they began with are kept without them."""

from __future__ import annotations

from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from builder.base.run_text import PARTS, words_of

PAGE = 1_000


def drop_ids(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Write the words of every run's beginning without those that its id was cut into.

    Rows are written anew, as the index of SQLite follows rows that come and go. They stand in the
    order in which they were read: the workflow's, then the id's, then all others.
    """
    alias = editor.connection.alias
    runs = apps.get_model("builder", "Run").objects.using(alias)
    texts = apps.get_model("builder", "RunText").objects.using(alias)
    last = -1
    while True:
        rows = runs.filter(number__gt=last).order_by("number")
        found = list(rows.values_list("number", "pk", "graph_slug")[:PAGE])
        if not found:
            return
        last = found[-1][0]
        kept = dict(
            texts.filter(pk__in=[number * PARTS for number, *_ in found]).values_list("pk", "words")
        )
        made = []
        for number, pk, slug in found:
            words = kept.get(number * PARTS)
            rest = None if words is None else _without(words, pk, slug)
            if rest is not None:
                made.append(texts.model(place=number * PARTS, words=rest))
        _replace(texts, made)


def _without(words: str, run_id: str, slug: str) -> str | None:
    """Return the words without those of the id; None where they do not stand there."""
    begun, own = words_of(slug), words_of(slug, run_id)
    if begun == own or not f"{words} ".startswith(f"{own} "):
        return None
    return f"{begun}{words[len(own) :]}".strip()


def _replace(texts: Any, made: list[Any]) -> None:
    texts.filter(pk__in=[row.pk for row in made]).delete()
    texts.bulk_create([row for row in made if row.words])


class Migration(migrations.Migration):
    dependencies = [
        ("builder", "0056_breaker_epochs"),
    ]

    operations = [
        migrations.RunPython(drop_ids, migrations.RunPython.noop),
    ]
