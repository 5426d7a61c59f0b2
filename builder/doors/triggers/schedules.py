"""Schedules: each due time is a delivery, once, whoever looks and however late."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson
from django.db import transaction

from builder.base.clock import now_ms
from builder.doors.triggers import starting, times
from builder.doors.triggers.mapping import MappingFailed, mapped
from builder.doors.triggers.refusing import TurnedAway, note
from builder.models import Delivery, Trigger
from builder.models.prepared import Prepared, number
from engine.core.state.events import iso

LATE_MS: Final = 60_000
"""What is later than this was missed: its policy says what becomes of it."""
MOST_MISSED: Final = 100
COUNTED: Final = 1_000
"""Missed times that are counted; more are told as so many."""
AT_ONCE: Final = 50
DUE: Final = Prepared(
    lambda at: Trigger.objects.filter(
        kind=Trigger.Kind.SCHEDULE,
        on=True,
        next_at__lte=number(at),
        graph__archived_at__isnull=True,
    ).order_by("next_at")[:AT_ONCE]
)


@dataclass(frozen=True, slots=True)
class Firing:
    """One due time that is started, and how many were missed that it stands for."""

    due: int
    missed: int = 0


def next_of(trigger: Trigger, after: int) -> int | None:
    """Return when a schedule is due next, None for what is off or none."""
    if trigger.kind != Trigger.Kind.SCHEDULE or not trigger.on:
        return None
    found = times.next_times(trigger.config["cron"], trigger.config["zone"], after, 1)
    return found[0] if found else None


def fire_due(now: int | None = None) -> int:
    """Deliver what is due and start it; return how many runs that was."""
    at = now_ms() if now is None else now
    made = [row for trigger in DUE.all(at) for row in fire(trigger, at)]
    for row in made:
        starting.begin(row)
    return len(made)


def fire(trigger: Trigger, now: int) -> list[Delivery]:
    """Move a schedule on and write what is due, in one transaction; nothing where another did."""
    old = trigger.next_at
    assert old is not None
    cron, zone = trigger.config["cron"], trigger.config["zone"]
    due = times.last_times(cron, zone, old, now, COUNTED + 10)
    with transaction.atomic():
        rows = Trigger.objects.filter(pk=trigger.pk, next_at=old, on=True)
        if not rows.update(next_at=next_of(trigger, now)):
            return []
        missed = [one for one in due if one < now - LATE_MS][-COUNTED:]
        firings = _firings(trigger, missed, now)
        firings += [Firing(one) for one in due if one >= now - LATE_MS]
        return [row for one in firings if (row := _delivered(trigger, one, now)) is not None]


def _firings(trigger: Trigger, missed: Sequence[int], now: int) -> list[Firing]:
    policy = trigger.config["missed"]
    if not missed:
        return []
    if policy == "once":
        return [Firing(missed[-1], len(missed))]
    started = list(missed[-MOST_MISSED:]) if policy == "all" else []
    if left_out := len(missed) - len(started):
        count = f"{left_out}{' or more' if len(missed) == COUNTED else ''}"
        words = f"missed {count} times, the last at {iso(missed[left_out - 1])}"
        note(trigger, TurnedAway(422, "ScheduleMissed", words), now)
    return [Firing(one) for one in started]


def _delivered(trigger: Trigger, firing: Firing, now: int) -> Delivery | None:
    sample = sample_of(firing)
    try:
        given = orjson.dumps(mapped(trigger.mapping, sample)).decode()
    except MappingFailed as failed:
        note(trigger, TurnedAway(422, "MappingFailed", str(failed)), now, sample)
        return None
    row, new = Delivery.objects.get_or_create(
        door=trigger,
        key=f"due:{iso(firing.due)}",
        defaults={
            "sample": orjson.dumps(sample).decode(),
            "input": given,
            "at": now,
            "available_at": now + starting.FIRST_WAIT_MS,
        },
    )
    return row if new else None


def sample_of(firing: Firing) -> Mapping[str, Any]:
    """Return what expressions read of a due time."""
    body = {"due": iso(firing.due), "missed": firing.missed}
    return {"body": body, "headers": {}, "query": {}}
