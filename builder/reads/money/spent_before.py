"""What a period has cost before a budget of it was set: a new one begins with that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import QuerySet, Sum

from builder.models import Run, RunSpending, Spending
from engine.core.budgets.periods import Period

READ_AT_ONCE = 500


def spent_before(
    workspace_id: str, slug: str | None, period: Period, zone: ZoneInfo
) -> tuple[int, int]:
    """Return tokens and pico-dollars of a period so far: of one workflow, or without one of all.

    A workflow's are those of its runs and of the runs that these have started. Calls that are under
    way have cost nothing yet.
    """
    first = "" if period.starts_at is None else _day(period.starts_at, zone)
    own = Spending.objects.in_workspace(workspace_id).filter(day__gte=first)
    if slug is None:
        return _sum(own)
    total = _sum(own.filter(graph=slug))
    for ids in _started_by(workspace_id, slug, period.starts_at or 0):
        more = _sum(RunSpending.objects.filter(run__in=ids, day__gte=first))
        total = (total[0] + more[0], total[1] + more[1])
    return total


def _started_by(workspace_id: str, slug: str, since: int) -> Iterator[Sequence[str]]:
    """Yield the runs of other workflows below runs of this one, some at a time."""
    runs = Run.objects.in_workspace(workspace_id)
    layer = list(
        runs.filter(graph_slug=slug).exclude(ended_at__lt=since).values_list("pk", flat=True)
    )
    while layer:
        below: list[str] = []
        for start in range(0, len(layer), READ_AT_ONCE):
            part = runs.filter(parent_run__in=layer[start : start + READ_AT_ONCE])
            found = list(part.exclude(graph_slug=slug).values_list("pk", flat=True))
            if found:
                yield found
            below += found
        layer = below


def _sum(rows: QuerySet[Spending] | QuerySet[RunSpending]) -> tuple[int, int]:
    found = rows.aggregate(tokens=Sum("tokens"), pico=Sum("pico"))
    return found["tokens"] or 0, found["pico"] or 0


def _day(at: int, zone: ZoneInfo) -> str:
    return datetime.fromtimestamp(at / 1000, zone).date().isoformat()
