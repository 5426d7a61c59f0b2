"""What a run waits for, in itself and in the runs that it called."""

from __future__ import annotations

from typing import Final

from builder.models import Interrupt, Run

MAX_BELOW: Final = 100
"""Child runs that are looked through."""


def open_in(run_id: str) -> list[str]:
    """Return the requests that a run waits for, those of runs below it included."""
    below = [run_id]
    for parent in below:
        if len(below) < MAX_BELOW:
            children = Run.objects.filter(parent_run=parent).values_list("pk", flat=True)
            below += list(children)[: MAX_BELOW - len(below)]
    rows = Interrupt.objects.open().filter(run__in=below)
    return list(rows.values_list("pk", flat=True))
