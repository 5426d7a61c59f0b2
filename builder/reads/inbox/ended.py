"""Items that nobody decided, because their run was ended: how, and by whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import orjson

from builder.models import Interrupt, Run, RunEvent
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

NEAR: Final = 8
"""Events after the closing of an item in which the end of its run is told: other items come first."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run was ended, and who wanted it, None where nobody did."""

    status: str
    by: str | None


def endings_of(rows: Iterable[Interrupt]) -> Mapping[str, Ended]:
    """Return, by item, the end of the run that closed it; none for what was asked anew."""
    left = [row for row in rows if row.status == Interrupt.Status.SUPERSEDED and row.resolved_seq]
    if not left:
        return {}
    runs = Run.objects.filter(id__in={row.run for row in left}, number__isnull=False)
    numbers = dict(runs.values_list("id", "number"))
    places = {
        (numbers[row.run] or 0) * EVENTS_PER_RUN + (row.resolved_seq or 0) + step: row
        for row in left
        if row.run in numbers
        for step in range(1, NEAR + 1)
    }
    found = RunEvent.objects.filter(place__in=list(places), type="RunEnding")
    ends = {
        (places[place].run, at): orjson.loads(data)
        for place, at, data in found.values_list("place", "at", "data")
    }
    told = {row.pk: ends.get((row.run, row.decided_at or 0)) for row in left}
    return {key: Ended(end["status"], end.get("by")) for key, end in told.items() if end}
