"""Items that wait for longer than somebody asked to be told of: found by a scan, told once each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from django.db.models import CharField, Exists, OuterRef, Value
from django.db.models.functions import Concat

from builder.base.clock import DAY_MS, now_ms
from builder.doors.house.consumer import Consumer, Wait
from builder.doors.house.dispatch import KEPT_MS
from builder.models import HouseEvent, Interrupt, Run
from builder.models.doors.house_kinds import ITEM_WAITING

AT_ONCE: Final = 200
MINUTE_MS: Final = 60_000
NEWS_MS: Final = KEPT_MS - DAY_MS
"""What has waited for much longer is no news; and what was told is not forgotten before."""


def note_waiting(consumers: Sequence[Consumer], now: int | None = None) -> int:
    """Write down what has waited long enough by now; return how many items that were."""
    at = now_ms() if now is None else now
    wanted: set[Wait] = {wait for each in consumers for wait in each.waits()}
    return sum(_note(workspace, minutes, at) for workspace, minutes in sorted(wanted))


def key_of(item: str, minutes: int) -> str:
    """Return the key of the event that an item waits for so long."""
    return f"waits:{item}:{minutes}"


def _note(workspace: str, minutes: int, now: int) -> int:
    told = HouseEvent.objects.filter(
        key=Concat(
            Value("waits:"), OuterRef("request_id"), Value(f":{minutes}"), output_field=CharField()
        )
    )
    due = now - minutes * MINUTE_MS
    waits = Interrupt.objects.open().filter(
        workspace=workspace, opened_at__lte=due, opened_at__gt=due - NEWS_MS
    )
    rows = list(waits.filter(~Exists(told)).order_by("opened_at")[:AT_ONCE])
    graphs = dict(
        Run.objects.filter(pk__in={row.run for row in rows}).values_list("pk", "graph_id")
    )
    events = [
        HouseEvent(
            workspace_id=row.workspace_id,
            kind=ITEM_WAITING,
            ref=row.pk,
            run=row.run,
            graph=graphs.get(row.run),
            data=json.dumps({"kind": row.kind, "minutes": minutes, "until": row.expires_at}),
            at=now,
            key=key_of(row.pk, minutes),
        )
        for row in rows
    ]
    HouseEvent.objects.bulk_create(events, ignore_conflicts=True)
    return len(events)
