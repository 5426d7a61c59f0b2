"""Who could decide an item and is away, and whether their stand-in may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from builder.models import StandIn
from engine.core.people.eligibility import Asking
from engine.core.state.requests import Actor


@dataclass(frozen=True, slots=True)
class Away:
    """Somebody who is away `until` that day included; `why_not` is why the stand-in may not decide."""

    absent: Actor
    to: Actor
    until: date
    why_not: str | None


def away_of(absences: Sequence[StandIn], people: Sequence[Actor], asking: Asking) -> list[Away]:
    """Return who of those that an item asks is away today."""
    if not absences:
        return []
    known = {one.id: one for one in people}
    pairs = [(known.get(row.absent_id), known.get(row.to_id), row) for row in absences]
    return [
        Away(absent, to, row.last_day, asking.why_not_as(to, absent))
        for absent, to, row in pairs
        if absent is not None and to is not None and asking.why_not_oneself(absent) is None
    ]
