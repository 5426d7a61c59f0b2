"""Words by which runs are found, with an index of them, and those of the runs there are."""

from __future__ import annotations

from typing import Any

import orjson
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import builder.models.runs
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from builder.base.run_text import PARTS, words_of

SQLITE = (
    "CREATE VIRTUAL TABLE builder_runtext_words USING fts5(words, content='builder_runtext', "
    "content_rowid='place', tokenize='ascii', detail=none)",
    "CREATE TRIGGER runtext_added AFTER INSERT ON builder_runtext BEGIN "
    "INSERT INTO builder_runtext_words (rowid, words) VALUES (new.place, new.words); END",
    "CREATE TRIGGER runtext_deleted AFTER DELETE ON builder_runtext BEGIN "
    "INSERT INTO builder_runtext_words (builder_runtext_words, rowid, words) "
    "VALUES ('delete', old.place, old.words); END",
)
SQLITE_BACK = ("DROP TABLE builder_runtext_words",)
POSTGRES = (
    "CREATE INDEX runtext_words ON builder_runtext USING gin (to_tsvector('simple', words))",
)
POSTGRES_BACK = ("DROP INDEX runtext_words",)
PAGE = 500


def index(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    for sql in SQLITE if editor.connection.vendor == "sqlite" else POSTGRES:
        editor.execute(sql)


def drop_index(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    for sql in SQLITE_BACK if editor.connection.vendor == "sqlite" else POSTGRES_BACK:
        editor.execute(sql)


def add_words(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Read the first and the last event of every run; large values outside the log are left out."""
    alias = editor.connection.alias
    run = apps.get_model("builder", "Run").objects.using(alias)
    text = apps.get_model("builder", "RunText")
    last = -1
    while True:
        rows = run.filter(number__gt=last).order_by("number")
        found = list(rows.values_list("number", "pk", "graph_slug", "error", "ended_at")[:PAGE])
        if not found:
            return
        last = found[-1][0]
        made = []
        for number, pk, slug, error, ended_at in found:
            first, final = _ends(apps, alias, number)
            start = words_of(slug, pk, first.get("goal"), first.get("input"))
            made.append(text(place=number * PARTS, words=start))
            told = words_of(final.get("result"), orjson.loads(error) if error else None)
            if ended_at is not None and told:
                made.append(text(place=number * PARTS + 1, words=told))
        text.objects.using(alias).bulk_create(made)


def _ends(apps: Apps, alias: str, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
    events = apps.get_model("builder", "RunEvent").objects.using(alias)
    log = events.filter(place__gt=number * EVENTS_PER_RUN, place__lt=(number + 1) * EVENTS_PER_RUN)
    rows = [log.order_by("place").first(), log.order_by("-place").first()]
    first, final = (orjson.loads(bytes(row.data)) if row else {} for row in rows)
    return first, final


class Migration(migrations.Migration):
    dependencies = [("builder", "0013_letters")]

    operations = [
        migrations.CreateModel(
            name="RunText",
            fields=[
                ("place", builder.models.runs.PlaceField(primary_key=True, serialize=False)),
                ("words", models.TextField()),
            ],
        ),
        migrations.RunPython(index, drop_index),
        migrations.RunPython(add_words, migrations.RunPython.noop),
    ]
