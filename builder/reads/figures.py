"""Counts and sums for lists and dashboards, each in a fixed number of queries."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum

from builder.base.clock import DAY_MS, HOUR_MS, now_ms, start_of
from builder.models import Graph, GraphVersion, Interrupt, Publication, Run, Spending, User
from builder.models.prepared import Prepared, each_of, number
from builder.models.runs.failures import told_of, told_status, was_rejected
from builder.reads.operations import success
from builder.reads.operations.board import runs_of
from builder.reads.runs.asleep import asleep, standing


@dataclass(slots=True)
class GraphFigures:
    """What a list says about one graph beside its own columns: tests of a draft only cost.

    `waits_for` has who may approve a version that waits for it, as the gate of the graph names them.
    """

    published: GraphVersion | None = None
    last_run: Run | None = None
    last_told: str = ""
    sleeps_until: int | None = None
    runs_30d: int = 0
    counted_30d: int = 0
    completed_30d: int = 0
    spend_month_pico: int = 0
    open_approvals: int = 0
    waits_for: tuple[str, ...] = ()

    @property
    def success_rate(self) -> float | None:
        """The success rate of runs that began within 30 days, as `success` defines it."""
        return success.success_rate(self.completed_30d, self.counted_30d)


def _newest_versions(graphs: str) -> QuerySet[GraphVersion]:
    newest = GraphVersion.objects.published().filter(graph=OuterRef("graph")).values("number")[:1]
    rows = GraphVersion.objects.filter(graph__in=each_of(graphs), number=Subquery(newest))
    return rows.defer("document")


def _newest_runs(graphs: str) -> QuerySet[Run]:
    mine = Run.objects.filter(success.PUBLISHED, graph=OuterRef("pk"))
    newest = mine.order_by("-started_at").values("pk")[:1]
    latest = Graph.objects.filter(pk__in=each_of(graphs)).annotate(latest=Subquery(newest))
    return Run.objects.filter(pk__in=latest.values("latest")).annotate(told=told_status())


def _sums(graphs: str, since: str, month: str, either: str) -> QuerySet[Run, Any]:
    """Counts of runs of published versions since `since`, all spend since `month`; `either` is the earlier of both."""
    recent = Q(started_at__gte=number(since))
    return (
        Run.objects.filter(graph__in=each_of(graphs), started_at__gte=number(either))
        .values("graph")
        .annotate(
            runs=Count("pk", filter=recent & success.PUBLISHED),
            counted=Count("pk", filter=recent & success.counted()),
            completed=Count("pk", filter=recent & success.COMPLETED),
            pico=Sum("spent_pico", filter=Q(started_at__gte=number(month))),
        )
        .values_list("graph", "runs", "counted", "completed", "pico")
    )


def _open_items(graphs: str) -> QuerySet[Interrupt, Any]:
    graph_of_run = Run.objects.filter(pk=OuterRef("run")).values("graph")[:1]
    return (
        Interrupt.objects.open()
        .filter(run__in=Run.objects.filter(graph__in=each_of(graphs)).values("pk"))
        .annotate(graph_id=Subquery(graph_of_run))
        .values("graph_id")
        .annotate(n=Count("pk"))
        .values_list("graph_id", "n")
    )


def _open_publications(graphs: str) -> QuerySet[Publication, Any]:
    rows = Publication.objects.filter(graph__in=each_of(graphs), state="open")
    return rows.values_list("graph", "asked_by")


NEWEST_VERSIONS: Final = Prepared(_newest_versions)
NEWEST_RUNS: Final = Prepared(_newest_runs)
SUMS: Final = Prepared(_sums)
OPEN_ITEMS: Final = Prepared(_open_items)
OPEN_PUBLICATIONS: Final = Prepared(_open_publications)
PEOPLE: Final = Prepared(lambda users: User.objects.filter(pk__in=each_of(users)))


def of_graphs(graphs: Sequence[Graph], zone: str) -> dict[str, GraphFigures]:
    """Return the figures of each graph by id, in a fixed number of queries for any number of graphs."""
    figures = {graph.pk: GraphFigures() for graph in graphs}
    if not figures:
        return figures
    ids = json.dumps(list(figures))
    for version in NEWEST_VERSIONS.all(ids):
        figures[version.graph_id].published = version
    for run in NEWEST_RUNS.all(ids):
        if run.graph_id is not None:
            figures[run.graph_id].last_run = run
            figures[run.graph_id].last_told = told_of(run)
    sleeping = asleep([entry.last_run for entry in figures.values() if entry.last_run])
    for entry in figures.values():
        entry.sleeps_until = sleeping.get(entry.last_run.pk) if entry.last_run else None
    since, month = now_ms() - 30 * DAY_MS, start_of("month", zone)
    for graph_id, runs, counted, completed, pico in SUMS.tuples(
        ids, since, month, min(since, month)
    ):
        entry = figures[graph_id]
        entry.runs_30d, entry.counted_30d, entry.completed_30d = runs, counted, completed
        entry.spend_month_pico = pico or 0
    for graph_id, opened in OPEN_ITEMS.tuples(ids):
        figures[graph_id].open_approvals = opened
    gates = {graph.pk: tuple(graph.publish_gate) for graph in graphs if graph.publish_gate}
    if gates:  # without a gate, nothing can wait at it
        for graph_id, asker in OPEN_PUBLICATIONS.tuples(json.dumps(list(gates))):
            gate = gates[graph_id]
            others = tuple(entry for entry in gate if entry != f"user:{asker}")
            figures[graph_id].waits_for = others or gate  # who asked cannot approve it
    return figures


@dataclass(frozen=True, slots=True)
class Overview:
    """The first dashboard of one workspace."""

    running: int
    waiting: int
    asleep: int
    failed_24h: int
    completed_24h: int
    open_interrupts: int
    open_tests: int
    spend_today_pico: int
    spend_month_pico: int
    per_hour: list[dict[str, Any]] = field(default_factory=list)
    by_graph: list[dict[str, Any]] = field(default_factory=list)


def overview(workspace_id: str, zone: str, graph: Graph | None = None) -> Overview:
    """Return the counts of runs and spend, of all workflows or one.

    Child runs are counted in their parents' spend by workflow.
    """
    runs = runs_of(workspace_id, graph.pk if graph else "")
    since = now_ms() - DAY_MS
    # apart, each by an index of its own: neither reads the runs that ended before
    now = standing(runs)
    counts = runs.filter(ended_at__gte=since).aggregate(
        failed=Count("pk", filter=Q(status__in=["failed", "timeout"]) & ~was_rejected()),
        completed=Count("pk", filter=Q(status="completed")),
    )
    own = runs.filter(parent_run__isnull=True)
    month = own.started_since(start_of("month", zone))
    opened = Interrupt.objects.in_workspace(workspace_id).open()
    if graph is not None:
        opened = opened.filter(run__in=runs.values("pk"))
    drafts = Run.objects.filter(pk=OuterRef("run"), version__is_draft=True)
    by_graph = (
        month.filter(graph__isnull=False)
        .values("graph", "graph__name")
        .annotate(pico=Sum("spent_pico"), tokens=Sum("spent_tokens"))
        .order_by("-pico", "-tokens")[:20]
    )
    return Overview(
        running=now.running,
        asleep=now.asleep,
        waiting=now.waiting,
        failed_24h=counts["failed"],
        completed_24h=counts["completed"],
        open_interrupts=opened.count(),
        open_tests=opened.filter(Exists(drafts)).count(),
        spend_today_pico=_spent_since(workspace_id, start_of("day", zone), zone, graph),
        spend_month_pico=_spent_since(workspace_id, start_of("month", zone), zone, graph),
        per_hour=_per_hour(runs, since),
        by_graph=[dict(row) for row in by_graph],
    )


def _spent_since(workspace_id: str, since: int, zone: str, graph: Graph | None) -> int:
    """Return what the days from that moment on cost, as the board of spending counts it."""
    first = datetime.fromtimestamp(since / 1000, ZoneInfo(zone)).date().isoformat()
    rows = Spending.objects.in_workspace(workspace_id).filter(day__gte=first)
    rows = rows.filter(graph=graph.slug) if graph else rows
    return rows.aggregate(pico=Sum("pico"))["pico"] or 0


def _per_hour(runs: QuerySet[Run, Any], since: int) -> list[dict[str, Any]]:
    first = since // HOUR_MS + 1
    hours = {
        first + n: {"completed": 0, "failed": 0, "cancelled": 0, "timeout": 0, "rejected": 0}
        for n in range(24)
    }
    counted = (
        runs.filter(ended_at__gte=first * HOUR_MS)
        .annotate(hour=F("ended_at") / HOUR_MS, told=told_status())
        .values("hour", "told")
        .annotate(n=Count("pk"))
    )
    for row in counted:
        if row["hour"] in hours:
            hours[row["hour"]][row["told"]] = row["n"]
    zone = timedelta(milliseconds=HOUR_MS)
    epoch = datetime(1970, 1, 1, tzinfo=ZoneInfo("UTC"))
    return [
        {"hour": (epoch + zone * hour).isoformat().replace("+00:00", "Z"), **by_status}
        for hour, by_status in hours.items()
    ]


def people(ids: Iterable[str | None]) -> dict[str, str]:
    """Return user id → name of those that exist, in one query."""
    wanted = {user_id for user_id in ids if user_id}
    if not wanted:
        return {}
    return {user.pk: str(user) for user in PEOPLE.all(json.dumps(sorted(wanted)))}
