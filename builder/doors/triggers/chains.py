"""How many starts by events led to a run: chains of workflows that start one another come to an end."""

from __future__ import annotations

from typing import Final

from builder.models import Delivery, Run, Trigger
from builder.reads.runs.start_keys import TRIGGER, key_of

DEEPEST: Final = 5
"""Starts by events that may follow one another."""
MOST_PARENTS: Final = 64
"""Runs within runs that are looked through; the engine allows fewer."""


def depth_of(run_id: str | None) -> int:
    """Return how many starts by events led to the run, or to the runs that it is part of."""
    for _ in range(MOST_PARENTS):
        run = Run.objects.filter(pk=run_id).first() if run_id else None
        if run is None:
            return 0
        if run.parent_run is None:
            row = delivery_of(run)
            return 0 if row is None else row.depth
        run_id = run.parent_run
    return DEEPEST


def cause_of(run: Run) -> str | None:
    """Return the id of the run that started this one by an event; None for all others."""
    row = delivery_of(run)
    return None if row is None else row.cause


def delivery_of(run: Run) -> Delivery | None:
    """Return the delivery that an event made and that the run was started by.

    It is found by the key, which the run has before its delivery names the run.
    """
    if run.source != Trigger.Kind.EVENT or run.trigger is None or run.trigger_key is None:
        return None
    key = run.trigger_key.removeprefix(key_of(TRIGGER, run.trigger, ""))
    return Delivery.objects.filter(door=run.trigger, key=key).first()
