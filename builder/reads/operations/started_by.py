"""What started the runs of a stretch of time, and how many of them failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Case, Count, F, Q, Value, When

from builder.models import Trigger
from builder.models.runs.failures import was_rejected
from builder.reads.operations.board import Span
from builder.reads.runs.choice import BULK, IN_BULK, NOT_NOTED

MOST: Final = 30
"""Rows that are shown, those with the most runs."""


@dataclass(frozen=True, slots=True)
class StartedBy:
    """How many runs began by one source: of a trigger by its id, name and workflow.

    `source` is `bulk` for runs that a bulk job tried again, and empty where it is not noted, as of
    runs that other runs start; `name` is empty where the trigger is gone.
    """

    source: str
    trigger: str
    name: str
    graph: str
    runs: int
    failed: int


def started_by(span: Span) -> list[StartedBy]:
    """Return what started the runs that began in a stretch, the most frequent first."""
    begun = span.runs().filter(started_at__gte=span.since, started_at__lt=span.until)
    failed = Count("pk", filter=Q(status__in=("failed", "timeout")) & ~was_rejected())
    told = Case(When(NOT_NOTED & IN_BULK, then=Value(BULK)), default=F("source"))
    begun = begun.order_by().annotate(told=told)
    counted = begun.values("told", "trigger").annotate(runs=Count("pk"), failed=failed)
    rows = list(counted.order_by("-runs", "told", "trigger")[:MOST])
    ids = [row["trigger"] for row in rows if row["trigger"]]
    known = Trigger.objects.filter(pk__in=ids).values_list("pk", "name", "graph__name")
    names = {pk: (name, graph) for pk, name, graph in known}
    return [
        StartedBy(
            row["told"] or "",
            row["trigger"] or "",
            *names.get(row["trigger"], ("", "")),
            row["runs"],
            row["failed"],
        )
        for row in rows
    ]
