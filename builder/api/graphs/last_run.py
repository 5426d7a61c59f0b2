"""The newest run of a workflow, as lists of workflows tell it."""

from __future__ import annotations

from builder.api.http.wire import Wire, time, time_or_none
from builder.models.runs.failures import SAID_NO
from builder.reads.figures import GraphFigures


class LastRun(Wire):
    """The newest run of a graph; `waits_until` while all of it waits for a moment.

    `rejected`: it ended as a person said no.
    """

    id: str
    status: str
    at: str
    waits_until: str | None
    rejected: bool


def last_run_out(numbers: GraphFigures) -> LastRun | None:
    """Return the newest run, None where there is none."""
    run = numbers.last_run
    if run is None:
        return None
    return LastRun(
        id=run.pk,
        status=run.status,
        at=time(run.started_at),
        waits_until=time_or_none(numbers.sleeps_until),
        rejected=numbers.last_told == SAID_NO,
    )
