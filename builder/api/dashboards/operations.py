"""The dashboards of operators and reviewers, and the circuit breakers that they reset."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Final

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.schema import with_csv
from builder.api.http.view import ApiView
from builder.api.http.wire import Listing, Named, Wire, time, time_or_none
from builder.base import clock
from builder.base.errors import InvalidInput, NotFound
from builder.models import Breaker, Graph, Membership, Worker
from builder.reads import alarms
from builder.reads import approvals as approval_figures
from builder.reads import operations as operations_figures
from builder.reads.alarms import MAX_RUNS, AlarmGroup
from builder.reads.operations import Span, Total
from builder.services.permissions import Right, may
from builder.services.runs import breakers

DEFAULT_HOURS: Final = 24
MAX_HOURS: Final = 90 * 24
HEARD_MS: Final = 30_000
"""A worker that was heard of so recently is there."""
QUERY: Final = frozenset({"hours", "graph", "format"})
PARAMETERS: Final = [
    OpenApiParameter("hours", int, description="how far back, at most 2160"),
    OpenApiParameter("graph", description="id of one workflow"),
    OpenApiParameter("format", enum=["json", "csv"]),
]


class RunTotal(Wire):
    """Runs of a stretch of time: how many began, how they ended, how long they took."""

    started: int
    completed: int
    failed: int
    timeout: int
    cancelled: int
    success_rate: float | None
    p50_ms: int | None
    p95_ms: int | None
    retries: Annotated[int | None, Field(description="null: too many runs to look through")]


class BarOut(Wire):
    """Runs that ended from `at` until the next bar."""

    at: str
    completed: int
    failed: int
    timeout: int
    cancelled: int


class QueueOut(Wire):
    """What is ready and not yet worked on, and what is under way."""

    depth: int
    oldest_ms: int | None
    running: int
    retrying: int


class WaitOut(Wire):
    """How many runs wait for one kind of thing, since when or until when."""

    kind: str
    runs: int
    since: str | None
    due: str | None


class WorkerOut(Wire):
    """A process that runs activations."""

    id: str
    host: Annotated[str, Field(description="empty for who operates nothing")]
    pid: int | None
    started_at: str
    seen_at: str
    alive: bool


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


class BreakerOut(Wire):
    """A circuit breaker of one node and target."""

    id: str
    graph: Named | None
    node: str
    target: str
    state: str
    failures: int
    opened_at: str | None


class OperationsOut(Wire):
    """How the engine is doing."""

    since: str
    until: str
    bar_ms: int
    total: RunTotal
    before: RunTotal
    bars: list[BarOut]
    queue: QueueOut
    waits: list[WaitOut]
    workers: list[WorkerOut]
    alarms: list[AlarmOut]


class BreakerList(Listing[BreakerOut]):
    """Circuit breakers, and whether the caller may reset them."""

    can_reset: bool


class DecisionTotal(Wire):
    """What became of approvals, and how long people took."""

    decided: int
    approved: int
    edited: int
    rejected: int
    expired: int
    edit_rate: float | None
    rejection_rate: float | None
    expiry_rate: float | None
    median_ms: int | None
    p95_ms: int | None


class AskedOut(DecisionTotal):
    """The approvals that ask one group, role or person; `anyone` by role where nobody is named."""

    asked: str
    name: str
    open: int
    overdue: int


class ApprovalsOut(Wire):
    """How people decide."""

    since: str
    until: str
    open: int
    overdue: int
    oldest_at: str | None
    total: DecisionTotal
    before: DecisionTotal
    by_asked: list[AskedOut]


class _Board(ApiView):
    query_names: ClassVar[frozenset[str]] = QUERY

    def _hours(self) -> int:
        hours = self.number("hours", DEFAULT_HOURS)
        if not 1 <= hours <= MAX_HOURS:
            raise InvalidInput(f"1 to {MAX_HOURS} hours", path="hours")
        return hours

    def _graph(self) -> str:
        wanted = self.text("graph")
        return self.graph(wanted).pk if wanted else ""

    def _as_csv(self) -> bool:
        wanted = self.text("format") or "json"
        if wanted not in ("json", "csv"):
            raise InvalidInput("json or csv", path="format")
        return wanted == "csv"


class OperationsView(_Board):
    """How the engine is doing in the current workspace."""

    @extend_schema(
        responses=with_csv(OperationsOut), operation_id="operations", parameters=PARAMETERS
    )
    def get(self, request: Request) -> Response | HttpResponse:
        """Return ended runs over time, the queue, what runs wait for, workers and alarms."""
        member, now = self.member(), clock.now_ms()
        span = Span.of(member.workspace_id, self._hours(), now, self._graph())
        if self._as_csv():
            return _file(operations_figures.as_csv(span), "operations")
        return Response(_operations(member, span, now))


class ApprovalsView(_Board):
    """How people decide in the current workspace."""

    @extend_schema(
        responses=with_csv(ApprovalsOut), operation_id="approvals", parameters=PARAMETERS
    )
    def get(self, request: Request) -> Response | HttpResponse:
        """Return what is open, what became of what closed, and how long it took, by who is asked."""
        member, now = self.member(), clock.now_ms()
        since = now - self._hours() * clock.HOUR_MS
        span = approval_figures.Span(member.workspace_id, since, now, self._graph())
        if self._as_csv():
            return _file(approval_figures.as_csv(span), "approvals")
        standing = approval_figures.standing(span, now)
        return Response(
            ApprovalsOut(
                since=time(span.since),
                until=time(span.until),
                open=standing["open"],
                overdue=standing["overdue"],
                oldest_at=time_or_none(standing["oldest"]),
                total=DecisionTotal(**_tally(approval_figures.tally(span))),
                before=DecisionTotal(**_tally(approval_figures.tally(span.before()))),
                by_asked=[_asked(line) for line in approval_figures.by_asked(span, now)],
            )
        )


class BreakersView(ApiView):
    """The circuit breakers of the current workspace."""

    query_names: ClassVar[frozenset[str]] = frozenset({"state"})

    @extend_schema(
        responses=BreakerList, operation_id="breakers", parameters=[OpenApiParameter("state")]
    )
    def get(self, request: Request) -> Response:
        """List breakers; without `state` those that are not closed."""
        member = self.member()
        rows = self.visible(Breaker.objects.in_workspace(member.workspace_id))
        state = self.text("state")
        if state not in ("", "all", "open", "half_open", "closed"):
            raise InvalidInput("open, half_open, closed or all", path="state")
        if state != "all":
            rows = rows.filter(state=state) if state else rows.exclude(state="closed")
        found = list(rows.order_by("-opened_at", "pk")[:200])
        return Response(
            BreakerList(
                results=breakers_out(found, member),
                can_reset=may(member, Right.CANCEL),
            )
        )


class ResetBreakerView(ApiView):
    """One circuit breaker."""

    @extend_schema(request=None, responses=BreakerOut, operation_id="reset_breaker")
    def post(self, request: Request, breaker_id: str) -> Response:
        """Close a breaker: the next attempt is made (operator)."""
        found = self.visible(Breaker.objects.all()).filter(pk=breaker_id).first()
        if found is None or found.workspace_id is None:
            raise NotFound("no such breaker", code="BreakerNotFound")
        member = self.member_of(found.workspace_id)
        breakers.reset_breaker(member, found)
        found.refresh_from_db()
        return Response(breakers_out([found], member)[0])


def breakers_out(rows: Iterable[Breaker], member: Membership) -> list[BreakerOut]:
    """Return breakers as on the wire, with the names of their workflows."""
    listed = list(rows)
    slugs = {row.node.partition("/")[0] for row in listed}
    graphs = Graph.objects.in_workspace(member.workspace_id).active().filter(slug__in=slugs)
    named = {graph.slug: Named(id=graph.pk, name=graph.name) for graph in graphs}
    return [
        BreakerOut(
            id=row.pk,
            graph=named.get(row.node.partition("/")[0]),
            node=row.node.partition("/")[2] or row.node,
            target=row.target,
            state=row.state,
            failures=row.failures,
            opened_at=time_or_none(row.opened_at),
        )
        for row in listed
    ]


def _file(lines: Iterable[str], name: str) -> HttpResponse:
    answer = HttpResponse("".join(lines), content_type="text/csv")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer


def _operations(member: Membership, span: Span, now: int) -> OperationsOut:
    queue = operations_figures.queue(member.workspace_id, now)
    named = may(member, Right.CANCEL)
    return OperationsOut(
        since=time(span.since),
        until=time(span.until),
        bar_ms=span.step,
        total=_total(operations_figures.total(span)),
        before=_total(operations_figures.total(span.before())),
        bars=[BarOut(**bar) for bar in operations_figures.bars(span)],
        queue=QueueOut(
            depth=queue.depth,
            oldest_ms=queue.oldest_ms,
            running=queue.running,
            retrying=queue.retrying,
        ),
        waits=[_wait(row) for row in operations_figures.waits(member.workspace_id)],
        workers=[_worker(row, now, named) for row in operations_figures.workers()],
        alarms=[_alarm(group) for group in alarms.alarm_groups(member.workspace_id, now)],
    )


def _total(total: Total) -> RunTotal:
    return RunTotal(
        started=total.started,
        **total.by_status,
        success_rate=total.success_rate,
        p50_ms=total.p50_ms,
        p95_ms=total.p95_ms,
        retries=total.retries,
    )


def _wait(row: dict[str, Any]) -> WaitOut:
    since, due = time_or_none(row["since"]), time_or_none(row["due"])
    return WaitOut(kind=row["kind"], runs=row["runs"], since=since, due=due)


def _worker(row: Worker, now: int, named: bool) -> WorkerOut:
    return WorkerOut(
        id=row.boot_id,
        host=row.host if named else "",
        pid=row.pid if named else None,
        started_at=time(row.started_at),
        seen_at=time(row.last_seen_at),
        alive=row.last_seen_at > now - HEARD_MS,
    )


def _alarm(group: AlarmGroup) -> AlarmOut:
    named = group.alarms[:MAX_RUNS]
    return AlarmOut(
        graph=group.graph,
        why=group.why,
        count=len(group.alarms),
        since=time(group.since),
        runs=[StuckOut(id=a.run.pk, status=a.run.status, since=time(a.since)) for a in named],
    )


def _tally(found: approval_figures.Tally) -> dict[str, Any]:
    return {
        "decided": found.decided,
        "approved": found.approved,
        "edited": found.edited,
        "rejected": found.rejected,
        "expired": found.expired,
        "edit_rate": found.share(found.edited),
        "rejection_rate": found.share(found.rejected),
        "expiry_rate": found.expiry_rate,
        "median_ms": found.at(0.5),
        "p95_ms": found.at(0.95),
    }


def _asked(line: dict[str, Any]) -> AskedOut:
    where = {name: line[name] for name in ("asked", "name", "open", "overdue")}
    return AskedOut(**where, **_tally(line["tally"]))
