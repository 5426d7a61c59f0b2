"""How the engine is doing in one workspace: ended runs over time, the queue, waits, alarms.

Times are milliseconds since the epoch, durations milliseconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import Count, F, Max, Min, Q

from builder.base.clock import DAY_MS, HOUR_MS
from builder.models import Activation, CallTurn, Interrupt, Run, RunEvent, Timer
from builder.models.runs.failures import SAID_NO, told_status, was_rejected
from builder.reads.csv_lines import csv_lines
from builder.reads.operations.success import success_among
from builder.reads.runs.asleep import SLEEP, is_asleep
from engine.core.state.events import iso
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

ENDS: Final = ("completed", "failed", "timeout", "cancelled", SAID_NO)
"""How runs end: `rejected` where a person said no, which is not `failed` here."""
BUSY: Final = ("queued", "running", "ending")
STEPS: Final = ((48, HOUR_MS), (14 * 24, 6 * HOUR_MS))
"""Up to so many hours, bars of so long; a day for what is longer."""
MAX_COUNTED: Final = 20_000
"""Runs of a period whose logs are looked through for retries; above it nobody waits for the count."""
LOOKED_AT: Final = 500
OLDEST: Final = 20
"""Ready activations, of the oldest runs first, whose age is looked up."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time of one workspace, in bars of `step`; `graph` is one workflow's id, or empty."""

    workspace_id: str
    graph: str
    since: int
    until: int
    step: int

    @classmethod
    def of(cls, workspace_id: str, graph: str, hours: int, now: int) -> Span:
        """Return the last `hours`, the running bar included."""
        step = _step(hours)
        until = (now // step + 1) * step
        count = -(-hours * HOUR_MS // step)
        return cls(workspace_id, graph, until - count * step, until, step)

    @classmethod
    def between(cls, workspace_id: str, graph: str, since: int, until: int) -> Span:
        """Return a stretch that is given; its last bar may be shorter."""
        step = _step(-(-(until - since) // HOUR_MS))
        return cls(workspace_id, graph, since, until, step)

    def before(self) -> Span:
        """Return as long a stretch that ends where this begins."""
        length = self.until - self.since
        return replace(self, since=self.since - length, until=self.since)

    def runs(self) -> Any:
        """Return the runs of the workspace, of whatever time."""
        return runs_of(self.workspace_id, self.graph)

    def ended(self) -> Any:
        """Return the runs that ended in this stretch."""
        return self.runs().filter(ended_at__gte=self.since, ended_at__lt=self.until)


def runs_of(workspace_id: str, graph: str = "") -> Any:
    """Return the runs of a workspace, of one workflow where its id is given."""
    rows = Run.objects.in_workspace(workspace_id)
    return rows.filter(graph=graph) if graph else rows


def _step(hours: int) -> int:
    return next((step for most, step in STEPS if hours <= most), DAY_MS)


@dataclass(frozen=True, slots=True)
class Total:
    """What a stretch comes to; None where there is nothing to measure or too much to count."""

    started: int
    by_status: Mapping[str, int]
    success_rate: float | None
    p50_ms: int | None
    p95_ms: int | None
    retries: int | None
    """Attempts that failed, of how many runs."""
    retried_runs: int | None


def total(span: Span) -> Total:
    """Return the counts of a stretch, with the durations of the runs that ended in it."""
    ended = span.ended().annotate(told=told_status())
    found = dict(ended.values_list("told").annotate(n=Count("pk")))
    begun = span.runs().filter(started_at__gte=span.since, started_at__lt=span.until)
    tried = _retries(begun)
    return Total(
        started=begun.count(),
        by_status={status: found.get(status, 0) for status in ENDS},
        success_rate=success_among(span.ended()),
        p50_ms=_duration_at(span, 0.5),
        p95_ms=_duration_at(span, 0.95),
        retries=None if tried is None else tried.total(),
        retried_runs=None if tried is None else len(tried),
    )


def _duration_at(span: Span, share: float) -> int | None:
    """Return the duration that `share` of the runs did not exceed, read in order by the database.

    What somebody cancelled or rejected says nothing of how long a run takes.
    """
    over = span.ended().exclude(status="cancelled").filter(~was_rejected())
    rows = over.annotate(ms=F("ended_at") - F("started_at")).order_by("ms")
    count = rows.count()
    if not count:
        return None
    place = min(count - 1, max(0, -(-count * round(share * 100) // 100) - 1))
    found: int = rows.values_list("ms", flat=True)[place]
    return found


def _retries(begun: Any) -> Counter[int] | None:
    """Return by run how many of its attempts failed; None where nobody would wait for the count."""
    held = begun.aggregate(first=Min("number"), last=Max("number"))
    if held["first"] is None:
        return Counter()
    if held["last"] - held["first"] > MAX_COUNTED:
        return None
    rows = RunEvent.objects.filter(
        place__gte=held["first"] * EVENTS_PER_RUN,
        place__lt=(held["last"] + 1) * EVENTS_PER_RUN,
        type="AttemptFailed",
    )
    mine = set(begun.values_list("number", flat=True))
    found = Counter(place // EVENTS_PER_RUN for place in rows.values_list("place", flat=True))
    return Counter({number: n for number, n in found.items() if number in mine})


def bars(span: Span) -> list[dict[str, Any]]:
    """Return every bar of the stretch in order: when it begins and how many runs ended how."""
    shape = dict.fromkeys(ENDS, 0)
    found = {at: dict(shape) for at in range(span.since, span.until, span.step)}
    counted = (
        span.ended()
        .annotate(bar=(F("ended_at") - span.since) / span.step, told=told_status())
        .values("bar", "told")
        .annotate(n=Count("pk"))
    )
    for row in counted:
        found[span.since + row["bar"] * span.step][row["told"]] = row["n"]
    return [
        {"at": iso(at), "until": iso(min(at + span.step, span.until)), **by_status}
        for at, by_status in found.items()
    ]


def as_csv(span: Span) -> Iterator[str]:
    """Yield the bars as lines of CSV."""
    rows = ([bar["at"], *(bar[status] for status in ENDS)] for bar in bars(span))
    return csv_lines(["from", *ENDS], rows)


@dataclass(frozen=True, slots=True)
class Queue:
    """What is ready and not yet worked on: how much, in how many runs, and since when the oldest."""

    depth: int
    runs: int
    oldest_ms: int | None
    running: int
    retrying: int
    retrying_runs: int


def queue(workspace_id: str, now: int, graph: str = "") -> Queue:
    """Return the queue as it stands."""
    mine = runs_of(workspace_id, graph).filter(status__in=(*BUSY, "waiting"))
    live = Activation.objects.annotate(of=F("place") / EVENTS_PER_RUN)
    acts = live.filter(of__in=mine.filter(number__isnull=False).values("number"))
    counts = acts.aggregate(
        queued=Count("pk", filter=Q(status="queued")),
        retrying=Count("pk", filter=Q(status="retrying")),
    )
    ready = acts.filter(status="queued").order_by("pk").values_list("of", "key")[:OLDEST]
    waiting = mine.filter(status="queued").aggregate(n=Count("pk"), first=Min("started_at"))
    since = [_queued_at(number, key) for number, key in ready]
    turn = mine.filter(Q(status="queued") | Q(number__in=acts.filter(status="queued").values("of")))
    timed = Timer.objects.filter(run__in=mine.values("pk"), kind="retry")
    starts = [at for at in (*since, waiting["first"]) if at is not None]
    return Queue(
        depth=counts["queued"] or waiting["n"],
        runs=turn.count(),
        oldest_ms=max(0, now - min(starts)) if starts else None,
        running=_under_way(mine),
        retrying=counts["retrying"],
        retrying_runs=timed.values("run").distinct().count(),
    )


def _under_way(mine: Any) -> int:
    """Return how many steps of these runs are worked on: those that wait for a moment, or for runs that
    themselves wait, are not.
    """
    awake = mine.filter(~is_asleep(), status__in=BUSY)
    live = Activation.objects.annotate(of=F("place") / EVENTS_PER_RUN).filter(status="running")
    running = live.filter(of__in=awake.filter(number__isnull=False).values("number")).count()
    timers = Timer.objects.filter(run__in=awake.values("pk"), kind=SLEEP)
    return max(0, running - timers.values("run", "key").distinct().count())


def _queued_at(number: int, key: str) -> int | None:
    log = RunEvent.objects.filter(
        place__gte=number * EVENTS_PER_RUN, place__lt=(number + 1) * EVENTS_PER_RUN
    )
    return log.filter(key=key).order_by("place").values_list("at", flat=True).first()


def waits(workspace_id: str, graph: str = "") -> list[dict[str, Any]]:
    """Return what runs wait for, the most frequent first: kind, how many runs, since when.

    A run that waits for several things counts for each.
    """
    mine = runs_of(workspace_id, graph).filter(status__in=(*BUSY, "waiting"))
    of_graph = {"run__in": runs_of(workspace_id, graph).values("pk")} if graph else {}
    asked = (
        Interrupt.objects.in_workspace(workspace_id)
        .open()
        .filter(**of_graph)
        .values("kind")
        .annotate(runs=Count("run", distinct=True), since=Min("opened_at"))
    )
    found = [dict(row) for row in asked]
    timed = Timer.objects.filter(run__in=mine.values("pk"), kind__in=("retry", "sleep"))
    counted = timed.values("kind").annotate(runs=Count("run", distinct=True), due=Min("fire_at"))
    found += [dict(row) for row in counted]
    parents = mine.filter(pk__in=mine.filter(parent_run__isnull=False).values("parent_run")).count()
    if parents:
        found.append({"kind": "child_run", "runs": parents})
    turns = CallTurn.objects.in_workspace(workspace_id).waiting().filter(**of_graph)
    calls = turns.aggregate(runs=Count("run", distinct=True), since=Min("since"))
    if calls["runs"]:
        found.append({"kind": "call", **calls})
    blank = {"since": None, "due": None}
    return sorted(({**blank, **row} for row in found), key=lambda row: -row["runs"])
