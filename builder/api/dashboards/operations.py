"""The operators' dashboard: how the engine is doing."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.dashboards.board import PARAMETERS, Board
from builder.api.dashboards.workers import WorkerOut, runs_here, workers_out
from builder.api.http.files import csv_file, wants_csv
from builder.api.http.schema.api_schema import with_csv
from builder.api.http.wire import Wire, time, time_or_none
from builder.base import clock
from builder.models import Membership
from builder.reads.operations import alarms
from builder.reads.operations import board as operations_figures
from builder.reads.operations.alarms import MAX_RUNS, AlarmGroup
from builder.reads.operations.board import Span, Total
from builder.reads.operations.started_by import started_by
from builder.reads.runs.calls import NOBODY


class RunTotal(Wire):
    """Runs of a stretch of time: how many began, how they ended, how long they took.

    Those that ended as a person said no are `rejected`, not `failed`.
    """

    started: int
    completed: int
    failed: int
    timeout: int
    cancelled: int
    rejected: int
    success_rate: float | None
    p50_ms: int | None
    p95_ms: int | None
    retries: Annotated[int | None, Field(description="null: too many runs to look through")]
    retried_runs: int | None


class BarOut(Wire):
    """Runs that ended from `at` on, before `until`."""

    at: str
    until: str
    completed: int
    failed: int
    timeout: int
    cancelled: int
    rejected: int


class QueueOut(Wire):
    """What is ready and not yet worked on, and what is under way.

    `runs` and `retrying_runs` are the runs whose steps these are.
    """

    depth: int
    runs: int
    retrying_runs: int
    oldest_ms: int | None
    running: int
    retrying: int


class WaitOut(Wire):
    """How many runs wait for one kind of thing, since when or until when."""

    kind: str
    runs: int
    since: str | None
    due: str | None


class StuckOut(Wire):
    """A run that should have moved."""

    id: str
    status: str
    since: str


class AlarmOut(Wire):
    """Runs of one workflow that should have moved: `timer_overdue` or `silent`, the first since when.

    `runs` names the longest stuck, `count` counts all.
    """

    graph: str
    why: str
    count: int
    since: str
    runs: list[StuckOut]


class StartedOut(Wire):
    """How many runs began by one source, and how many of them failed or timed out, rejected ones left out.

    `source` is `bulk` of runs that a bulk job made, and `-` where it is not noted, as of runs that
    other runs start. Of a trigger `trigger` is its id, `name` and `graph` are empty where it is gone.
    """

    source: str
    trigger: str
    name: str
    graph: str
    runs: int
    failed: int


class OperationsOut(Wire):
    """How the engine is doing."""

    since: str
    until: str
    bar_ms: int
    total: RunTotal
    before: RunTotal
    bars: list[BarOut]
    started: list[StartedOut]
    queue: QueueOut
    waits: list[WaitOut]
    workers: list[WorkerOut]
    alarms: list[AlarmOut]


class OperationsView(Board):
    """How the engine is doing in the current workspace."""

    @extend_schema(
        responses=with_csv(OperationsOut), operation_id="operations", parameters=PARAMETERS
    )
    def get(self, request: Request) -> Response | HttpResponse:
        """Return ended runs over time, the queue, what runs wait for, workers and alarms."""
        member, now = self.member(), clock.now_ms()
        days = self.days(str(member.workspace.all_settings["timezone"]))
        where = (member.workspace_id, self.graph_id())
        span = (
            Span.of(*where, self.hours(), now)
            if days is None
            else Span.between(*where, days.since, days.until)
        )
        if wants_csv(self.text("format")):
            return csv_file(operations_figures.as_csv(span), "operations")
        workers = workers_out(member, now, runs_here(self, member))
        return Response(_operations(member, span, now, workers))


def _operations(
    member: Membership, span: Span, now: int, workers: list[WorkerOut]
) -> OperationsOut:
    queue = operations_figures.queue(member.workspace_id, now, span.graph)
    return OperationsOut(
        since=time(span.since),
        until=time(span.until),
        bar_ms=span.step,
        total=_total(operations_figures.total(span)),
        before=_total(operations_figures.total(span.before())),
        bars=[BarOut(**bar) for bar in operations_figures.bars(span)],
        started=[
            StartedOut(**{**asdict(row), "source": row.source or NOBODY})
            for row in started_by(span)
        ],
        queue=QueueOut(
            depth=queue.depth,
            runs=queue.runs,
            retrying_runs=queue.retrying_runs,
            oldest_ms=queue.oldest_ms,
            running=queue.running,
            retrying=queue.retrying,
        ),
        waits=[_wait(row) for row in operations_figures.waits(member.workspace_id, span.graph)],
        workers=workers,
        alarms=[
            _alarm(group) for group in alarms.alarm_groups(member.workspace_id, now, span.graph)
        ],
    )


def _total(total: Total) -> RunTotal:
    return RunTotal(
        started=total.started,
        **total.by_status,
        success_rate=total.success_rate,
        p50_ms=total.p50_ms,
        p95_ms=total.p95_ms,
        retries=total.retries,
        retried_runs=total.retried_runs,
    )


def _wait(row: dict[str, Any]) -> WaitOut:
    since, due = time_or_none(row["since"]), time_or_none(row["due"])
    return WaitOut(kind=row["kind"], runs=row["runs"], since=since, due=due)


def _alarm(group: AlarmGroup) -> AlarmOut:
    named = group.alarms[:MAX_RUNS]
    return AlarmOut(
        graph=group.graph,
        why=group.why,
        count=len(group.alarms),
        since=time(group.since),
        runs=[StuckOut(id=a.run.pk, status=a.run.status, since=time(a.since)) for a in named],
    )
