"""What approvals are about, so that the inbox can be narrowed to it; and of those there are."""

from __future__ import annotations

from typing import Any

import orjson
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

PAGE = 500
LONGEST = 16


def say_types(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Write of every approval what its question in the log says."""
    alias = editor.connection.alias
    interrupts = apps.get_model("builder", "Interrupt").objects.using(alias)
    runs = apps.get_model("builder", "Run").objects.using(alias)
    ids = list(interrupts.filter(kind="approval").order_by("run").values_list("pk", flat=True))
    for first in range(0, len(ids), PAGE):
        rows = list(interrupts.filter(pk__in=ids[first : first + PAGE]))
        found = runs.filter(pk__in={row.run for row in rows}, number__isnull=False)
        numbers = dict(found.values_list("pk", "number"))
        places = {
            numbers[row.run] * EVENTS_PER_RUN + row.opened_seq: row
            for row in rows
            if row.run in numbers
        }
        _fill(apps, alias, places)
        interrupts.bulk_update(rows, ["approval_type"])


def _fill(apps: Apps, alias: str, places: dict[int, Any]) -> None:
    events = apps.get_model("builder", "RunEvent").objects.using(alias)
    for event in events.filter(pk__in=places):
        request = orjson.loads(bytes(event.data)).get("request")
        if isinstance(request, dict) and "$blob" in request:
            request = _apart(apps, alias, request["$blob"])
        said = request.get("approval_type") if isinstance(request, dict) else None
        places[event.pk].approval_type = str(said or "")[:LONGEST]


def _apart(apps: Apps, alias: str, digest: str) -> Any:
    """Return a question that was too large for its event; nothing where it is gone."""
    blob = apps.get_model("builder", "Blob").objects.using(alias).filter(pk=digest).first()
    return None if blob is None else orjson.loads(bytes(blob.data))


class Migration(migrations.Migration):
    dependencies = [
        ("builder", "0047_retention"),
    ]

    operations = [
        migrations.AddField(
            model_name="interrupt",
            name="approval_type",
            field=models.CharField(db_default="", default="", max_length=16),
        ),
        migrations.RunPython(say_types, migrations.RunPython.noop),
    ]
