"""What a period has cost before a budget of it was set: a new one begins with that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet, Sum

from builder.models import BudgetLimit, Run, RunSpending, Spending, TriggerSpending
from engine.core.budgets.periods import Period

READ_AT_ONCE = 500


def spent_before(limit: BudgetLimit, period: Period, zone: ZoneInfo) -> tuple[int, int]:
    """Return tokens and pico-dollars of a period so far, of what a limit is on.

    Those of a workflow or a trigger are those of its runs and of the runs that these have started.
    Calls that are under way have cost nothing yet.
    """
    first = "" if period.starts_at is None else _day(period.starts_at, zone)
    own = Spending.objects.in_workspace(limit.workspace_id).filter(day__gte=first)
    runs = Run.objects.in_workspace(limit.workspace_id)
    if limit.trigger_id is not None:
        started = TriggerSpending.objects.in_workspace(limit.workspace_id).filter(day__gte=first)
        total = _sum(started.filter(trigger=limit.trigger_id))
        mine = Q(trigger=limit.trigger_id)
    elif limit.graph is not None:
        slug = limit.graph.slug
        total, mine = _sum(own.filter(graph=slug)), Q(graph_slug=slug)
    else:
        return _sum(own)
    for ids in _started_by(runs, mine, period.starts_at or 0):
        more = _sum(RunSpending.objects.filter(run__in=ids, day__gte=first))
        total = (total[0] + more[0], total[1] + more[1])
    return total


def _started_by(runs: QuerySet[Run], mine: Q, since: int) -> Iterator[Sequence[str]]:
    """Yield those of `runs` that hang below the ones of `mine` and are none of these, in parts."""
    layer = list(runs.filter(mine).exclude(ended_at__lt=since).values_list("pk", flat=True))
    while layer:
        below: list[str] = []
        for start in range(0, len(layer), READ_AT_ONCE):
            part = runs.filter(parent_run__in=layer[start : start + READ_AT_ONCE])
            found = list(part.exclude(mine).values_list("pk", flat=True))
            if found:
                yield found
            below += found
        layer = below


def _sum(rows: QuerySet[Any]) -> tuple[int, int]:
    found = rows.aggregate(tokens=Sum("tokens"), pico=Sum("pico"))
    return found["tokens"] or 0, found["pico"] or 0


def _day(at: int, zone: ZoneInfo) -> str:
    return datetime.fromtimestamp(at / 1000, zone).date().isoformat()
