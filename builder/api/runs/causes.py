"""Why runs failed, over HTTP: causes, and what people do about them."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.files import csv_file, wants_csv
from builder.api.http.pagination import page
from builder.api.http.schema.api_schema import with_csv
from builder.api.http.view import ApiView
from builder.api.http.wire import Body, Listing, Moment, Named, Text, Wire, time, time_or_none
from builder.api.runs.lists import moment
from builder.base.clock import HOUR_MS, now_ms
from builder.base.errors import InvalidInput, NotFound
from builder.models import FailureCause, GraphVersion, Membership
from builder.models.runs.failures import OF_FAILURES
from builder.reads.causes import ALWAYS, Cause, Stretch, as_csv, looked_up, within
from builder.services.permissions import Right, may
from builder.services.runs.causes import Change, change_cause

STATES: Final = ("open", "muted", "resolved")
FILTERS: Final = ("state", "graph", "since", "until", "ordering")
ORDERINGS: Final = {"last": "last_at", "first": "first_at", "count": "count"}


class QueuedOut(Wire):
    """Runs of a cause that wait in a retry that is not over."""

    job: str
    status: str
    runs: int


class CauseOut(Wire):
    """A cause of failures: how often, `retried` and `mended` (completed when tried again).

    `spark` counts those of the last 24 hours, an hour a bar.
    """

    id: str
    graph: Named
    node: str
    label: str
    code: str
    title: Annotated[str, Field(description="what its failures say in common")]
    sample: Annotated[str, Field(description="what the latest of them says")]
    answered: str
    count: int
    retried: int
    mended: int
    retryable: Annotated[bool, Field(description="whether a step failed, at which a run can go on")]
    first_at: str
    last_at: str
    came_back_at: Annotated[
        str | None, Field(description="when it failed again after it was resolved")
    ]
    since_version: str
    last_version: str
    state: str
    muted_until: str | None
    assignee: Named | None
    spark: list[int]
    queued: Annotated[
        list[QueuedOut], Field(description="retries that are not over, with runs of it to go")
    ]
    can_change: bool


class CauseBody(Body):
    """What becomes of a cause; `until` goes with `muted`, `assignee` is a member's id or ""."""

    state: Literal["open", "muted", "resolved"] | None = None
    until: Moment | None = None
    assignee: Annotated[Text, Field(max_length=36)] | None = None

    def to_change(self) -> Change:
        """Return the change as the service takes it."""
        until = None if self.until is None else int(self.until.timestamp() * 1000)
        return Change(self.state, until, self.assignee)


class CausesView(ApiView):
    """Why runs of the current workspace failed."""

    query_names: ClassVar[frozenset[str]] = frozenset({*FILTERS, "format"})

    @extend_schema(
        responses=with_csv(Listing[CauseOut]),
        operation_id="causes",
        parameters=[
            *(OpenApiParameter(name) for name in (*FILTERS, "cursor")),
            OpenApiParameter("format", enum=["json", "csv"]),
        ],
    )
    def get(self, request: Request) -> Response | HttpResponse:
        """List causes in one state, the latest first; what people rejected is none of them."""
        member, state = self.member(), self.text("state") or "open"
        if state not in STATES:
            raise InvalidInput(f"one of {', '.join(STATES)}", path="state")
        rows = self.visible(FailureCause.objects.in_workspace(member.workspace_id))
        rows = rows.filter(OF_FAILURES, count__gt=0).standing(state, now_ms())
        if graph := self.text("graph"):
            rows = rows.filter(graph=graph)
        stretch = Stretch(*(moment(name, self.text(name)) for name in ("since", "until")))
        order = self.text("ordering") or "-last"
        field = ORDERINGS.get(order.removeprefix("-"))
        if field is None:
            raise InvalidInput(f"one of {', '.join(ORDERINGS)}", path="ordering")
        if stretch != ALWAYS:
            rows = within(rows, stretch)
            field = "count_within" if field == "count" else field
        rows = rows.select_related("first_version", "last_version")
        rows = rows.defer("first_version__document", "last_version__document")
        if wants_csv(self.text("format")):
            sign = "-" if order.startswith("-") else ""
            return csv_file(as_csv(rows.order_by(f"{sign}{field}", f"{sign}pk"), stretch), "causes")
        found = page(rows, self.window(), field=field, newest_first=order.startswith("-"))
        return Response(Listing[CauseOut].of(found, causes_out(found.rows, member, stretch)))


class CauseView(ApiView):
    """One cause of failures."""

    @extend_schema(responses=CauseOut, operation_id="cause")
    def get(self, request: Request, cause_id: str) -> Response:
        """Return the cause."""
        row = self._cause(cause_id)
        return Response(causes_out([row], self.member_of(row.workspace_id))[0])

    @extend_schema(request=CauseBody, responses=CauseOut, operation_id="change_cause")
    def patch(self, request: Request, cause_id: str) -> Response:
        """Assign, mute, resolve or open it again."""
        row = self._cause(cause_id)
        member = self.member_of(row.workspace_id)
        change_cause(member, row, CauseBody.read(request.data).to_change())
        return Response(causes_out([self._cause(cause_id)], member)[0])

    def _cause(self, cause_id: str) -> FailureCause:
        found = self.visible(FailureCause.objects.all()).filter(pk=cause_id).first()
        if found is None:
            raise NotFound("no such cause", code="CauseNotFound")
        return found


def causes_out(
    rows: list[FailureCause], member: Membership, stretch: Stretch = ALWAYS
) -> list[CauseOut]:
    """Return causes as on the wire."""
    can_change, now = may(member, Right.RUN), now_ms()
    return [_out(cause, now, can_change) for cause in looked_up(rows, now, HOUR_MS, stretch)]


def _out(cause: Cause, now: int, can_change: bool) -> CauseOut:
    row = cause.row
    awake = row.state == "muted" and (row.muted_until or 0) <= now
    return CauseOut(
        id=row.pk,
        graph=Named(id=row.graph_id or "", name=cause.graph),
        node=row.node,
        label=cause.label,
        code=row.code,
        title=cause.title,
        sample=row.sample,
        answered=cause.answered,
        count=cause.count,
        retried=cause.retried,
        mended=cause.mended,
        retryable=cause.retryable,
        first_at=time(row.first_at),
        last_at=time(row.last_at),
        came_back_at=time_or_none(cause.came_back_at),
        since_version=_version(row.first_version),
        last_version=_version(row.last_version),
        state="open" if awake else row.state,
        muted_until=None if awake else time_or_none(row.muted_until),
        assignee=None
        if row.assignee_id is None
        else Named(id=row.assignee_id, name=cause.assignee or ""),
        spark=list(cause.spark),
        queued=[QueuedOut(job=one.job, status=one.status, runs=one.runs) for one in cause.queued],
        can_change=can_change,
    )


def _version(version: GraphVersion | None) -> str:
    """Return a version as people call it: its number, `draft`, empty where it is gone."""
    if version is None:
        return ""
    return "draft" if version.is_draft else str(version.number)
