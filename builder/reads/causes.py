"""Why runs failed, as pages show it. Times are milliseconds since the epoch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, F, Min, OuterRef, QuerySet, Subquery

from builder.base.clock import HOUR_MS, now_ms
from builder.models import FailureCause, Graph, Run, RunFailure
from builder.models.querysets import CauseQuerySet
from builder.reads import figures
from builder.reads.csv_lines import csv_lines
from builder.reads.event_log import without
from builder.reads.operations.retries import Queued, queued_of_causes
from builder.reads.runs.answered import lines_of
from builder.reads.runs.called_causes import names_of_causes
from engine.core.state.events import iso

SPARK_BARS: Final = 24
MAX_ROWS: Final = 5_000
HEAD: Final = (
    "workflow",
    "step",
    "code",
    "message",
    "runs",
    "tried_again",
    "mended",
    "first",
    "last",
    "state",
    "assignee",
)


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause with what is looked up beside its row.

    `label` is what people call the node; `title` what its failures say in common; `answered` what the
    latest of its runs was answered; `retried` how many of its runs were tried again, `mended` how
    many of these then completed; `retryable` is false where no step failed at which a run could go
    on, as in its latest one; `queued` are the retries that are not over, with its runs to go; `came_back_at` is when it failed first after it was resolved;
    `spark` counts failures, the last bar being the present one.
    """

    row: FailureCause
    graph: str
    label: str
    assignee: str | None
    retried: int
    mended: int
    spark: Sequence[int]
    count: int
    answered: str = ""
    came_back_at: int | None = None
    title: str = ""
    retryable: bool = True
    queued: Sequence[Queued] = ()


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of time in which runs failed; an end that is None is open."""

    since: int | None = None
    until: int | None = None

    def of(self, failures: QuerySet[RunFailure]) -> QuerySet[RunFailure]:
        """Return those of the failures that fell into it."""
        if self.since is not None:
            failures = failures.filter(at__gte=self.since)
        return failures if self.until is None else failures.filter(at__lt=self.until)


ALWAYS: Final = Stretch()


def within(rows: CauseQuerySet, stretch: Stretch) -> CauseQuerySet:
    """Return the causes of which runs failed in a stretch, with how many as `count_within`."""
    mine = stretch.of(RunFailure.objects.filter(cause=OuterRef("pk"))).order_by()
    counted = mine.values("cause").annotate(n=Count("pk")).values("n")
    return rows.annotate(count_within=Subquery(counted)).filter(count_within__gt=0)


def looked_up(
    rows: Sequence[FailureCause], now: int, step: int = HOUR_MS, stretch: Stretch = ALWAYS
) -> list[Cause]:
    """Return the causes with what pages show beside them, in a fixed number of queries.

    Counts are those of the stretch where the rows were read `within` it.
    """
    ids = [row.pk for row in rows]
    failures = stretch.of(RunFailure.objects.filter(cause__in=ids))
    retried = failures.filter(retried_by__isnull=False).values("cause").annotate(n=Count("pk"))
    again = dict(retried.values_list("cause", "n"))
    good = Run.objects.filter(status=Run.Status.COMPLETED)
    done = failures.filter(retried_by__in=good.values("pk")).values("cause").annotate(n=Count("pk"))
    mended = dict(done.values_list("cause", "n"))
    sparks = _sparks(ids, now, step)
    answered, titles = lines_of(rows), names_of_causes(rows)
    back, ended = _came_back(rows), _no_step_failed(ids)
    queued = queued_of_causes(rows)
    graphs = Graph.objects.filter(pk__in={row.graph_id for row in rows if row.graph_id})
    names = dict(graphs.values_list("pk", "name"))
    people = figures.people(row.assignee_id for row in rows)
    return [
        Cause(
            row=row,
            graph=names.get(row.graph_id or "", row.graph_slug),
            label=row.label or row.node,
            assignee=people.get(row.assignee_id or ""),
            retried=again.get(row.pk, 0),
            mended=mended.get(row.pk, 0),
            spark=sparks[row.pk],
            count=vars(row).get("count_within", row.count),
            answered=answered.get(row.pk, ""),
            came_back_at=back.get(row.pk),
            title=titles[row.pk],
            retryable=row.pk not in ended,
            queued=queued.get(row.pk, ()),
        )
        for row in rows
    ]


def _came_back(rows: Sequence[FailureCause]) -> dict[str, int]:
    """Return when the causes that were resolved, and are not any more, failed first since then."""
    ids = [row.pk for row in rows if row.resolved_at is not None and row.state != "resolved"]
    failures = RunFailure.objects.filter(cause__in=ids, at__gte=F("cause__resolved_at"))
    return dict(failures.values("cause").annotate(first=Min("at")).values_list("cause", "first"))


def _no_step_failed(ids: Sequence[str]) -> set[str]:
    """Return the causes whose latest run ended between two steps, such as with no way to go."""
    mine = RunFailure.objects.filter(cause=OuterRef("pk")).order_by("-at", "-number")
    rows = FailureCause.objects.filter(pk__in=ids).annotate(n=Subquery(mine.values("number")[:1]))
    latest = {number: pk for pk, number in rows.values_list("pk", "n") if number is not None}
    return {latest[number] for number in without("NodeFailed", latest)}


def as_csv(rows: QuerySet[FailureCause], stretch: Stretch = ALWAYS) -> Iterator[str]:
    """Yield the first `MAX_ROWS` causes, in their order, as lines of CSV."""
    found = looked_up(list(rows[:MAX_ROWS]), now_ms(), stretch=stretch)
    return csv_lines(HEAD, map(_line, found))


def _line(cause: Cause) -> list[Any]:
    row = cause.row
    return [
        cause.graph,
        cause.label,
        row.code,
        cause.title,
        cause.count,
        cause.retried,
        cause.mended,
        iso(row.first_at),
        iso(row.last_at),
        row.state,
        cause.assignee or "",
    ]


def _sparks(ids: Sequence[str], now: int, step: int) -> dict[str, list[int]]:
    """Return how often each cause failed in each of the last bars, the oldest first."""
    last = now // step
    first = last - SPARK_BARS + 1
    rows = RunFailure.objects.filter(cause__in=ids, at__gte=first * step)
    counted = rows.annotate(bar=F("at") / step).values("cause", "bar").annotate(n=Count("pk"))
    found: dict[str, list[int]] = defaultdict(lambda: [0] * SPARK_BARS)
    for cause, bar, n in counted.values_list("cause", "bar", "n"):
        found[cause][min(bar - first, SPARK_BARS - 1)] += n
    return found
