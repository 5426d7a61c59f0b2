"""Runs: lists, one run with its picture, its log, its state, and what may be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import orjson
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.adapters.run_store.archive.shelf import archived_run
from builder.api.http.view import ApiView
from builder.api.http.wire import Body, JsonMap, Named, Text, Wire, absent, time, time_or_none
from builder.api.inbox.wire import InterruptOut, interrupts_out
from builder.api.workspace.budgets import BudgetOut, budget_out
from builder.base import engine_door
from builder.base.errors import InvalidInput, NotFound
from builder.doors.triggers.chains import cause_of
from builder.models import GraphVersion, Interrupt, Membership, Run
from builder.reads import event_log as log
from builder.reads import figures
from builder.reads.money.budgets import tightest
from builder.reads.runs.asleep import asleep
from builder.reads.runs.marks import UNMARKED, Marks, failed_at, marks_of
from builder.reads.runs.titles import title_of_start, titles_of
from builder.services.permissions import Right, may, may_cancel, may_fork, may_retry
from builder.services.runs import runs
from engine.core.budgets.money import usd, usd_or_none

MAX_EVENTS = 1000
MAX_EVENT_BYTES = 1024 * 1024
"""Event data in one answer: whoever asks for a thousand large events gets them in several."""


class CancelBody(Body):
    """Why a run is ended."""

    reason: Annotated[Text, Field(max_length=500)] | None = None


class GraphRef(Wire):
    """The graph of a run; without id once it is gone."""

    id: str | None
    slug: str
    name: str


class Spend(Wire):
    """What a run cost."""

    tokens: int
    usd: str


class RunErrorOut(Wire):
    """Why a run failed."""

    code: str
    message: str
    node: str | None = None
    label: Annotated[
        str | None, Field(exclude_if=absent, description="what people call the node, in lists")
    ] = None


class RunItem(Wire):
    """A run in a list."""

    id: str
    title: str
    graph: GraphRef
    version: int | None
    is_draft: bool
    status: str
    waiting_for: list[str]
    started_by: Named | str | None
    source: Annotated[
        str | None,
        Field(description="what started it; null where another run did, or before this was noted"),
    ]
    trigger: Annotated[Named | None, Field(description="the trigger; without name once it is gone")]
    started_at: str
    ended_at: str | None
    duration_ms: int | None
    spend: Spend
    limit_usd: str | None
    error: RunErrorOut | None
    rejected: Annotated[bool, Field(description="it ended as a person said no")] = False
    rejected_by: Annotated[
        Named | str | None, Field(description="who said no, where that ended it")
    ] = None
    parent_run: str | None
    seq: int
    tags: dict[str, str]
    archived_at: Annotated[
        str | None, Field(description="when its log went into a file, from which it is read since")
    ] = None
    kept: Annotated[bool, Field(description="whether it stays, whatever its age")] = False
    waiting_since: str | None
    waits_until: Annotated[
        str | None, Field(description="when it goes on, while all of it waits for a moment")
    ] = None
    queued_behind: Annotated[
        int | None, Field(description="how many come before it while it waits for a place")
    ] = None


class SpendDetail(Spend):
    """What a run cost, holds and may cost."""

    held_usd: str
    held_tokens: int
    limit_usd: str | None
    limit_tokens: int | None
    tightest: BudgetOut | None
    by_node: dict[str, JsonMap]


class RunCan(Wire):
    """What the caller may do with a run."""

    cancel: bool
    retry: bool
    fork: bool
    decide: bool


class RetriedOut(Wire):
    """The run that went on where this one failed, and how it stands."""

    id: str
    status: str
    rejected: Annotated[bool, Field(description="it ended as a person said no")]
    started_at: str
    waits_until: str | None


class RunDetail(RunItem):
    """A run as of `as_of_seq`; events after it complete the picture."""

    as_of_seq: int
    input: Any = None
    goal: str
    result: Any = None
    document: JsonMap
    spend: SpendDetail
    interrupts: list[InterruptOut]
    forked_from: JsonMap | None
    cause: Annotated[str | None, Field(description="the run that started it by an event")]
    until: str | None
    only: str | None
    draft_differs: bool
    retried: RetriedOut | None
    can: RunCan


class EventsOut(Wire):
    """A part of a run's log."""

    events: list[JsonMap]
    head: int


class StateOut(Wire):
    """A run's state at `seq`."""

    seq: int
    memory: JsonMap
    outputs: JsonMap
    metadata: JsonMap
    context: JsonMap
    ui: JsonMap


class RunView(ApiView):
    """A run as its list shows it, with document, input, output and error."""

    @extend_schema(responses=RunDetail, operation_id="run")
    def get(self, request: Request, run_id: object) -> Response:
        """Return the run's picture at its present seq."""
        run = self.run(run_id)
        return Response(run_detail(run, self.member_of(run.workspace_id)))


class EventsView(ApiView):
    """A run's log."""

    query_names: ClassVar[frozenset[str]] = frozenset({"after"})

    @extend_schema(
        responses=EventsOut,
        operation_id="run_events",
        parameters=[OpenApiParameter("after", int), OpenApiParameter("limit", int)],
    )
    def get(self, request: Request, run_id: object) -> Response:
        """Return events after `after`, in order: fewer than `limit` where they are large."""
        run = self.run(run_id)
        after, limit = self.number("after", 0), self.number("limit", log.PAGE)
        if not 1 <= limit <= MAX_EVENTS:
            raise InvalidInput(f"limit is between 1 and {MAX_EVENTS}", path="limit")
        rows, _more = log.slice_after(run.pk, after, limit, max_bytes=MAX_EVENT_BYTES)
        head = max(run.seq, rows[-1][0] if rows else 0)
        return Response(
            b'{"events":' + log.encode_events(rows) + b',"head":' + str(head).encode() + b"}"
        )


class StateView(ApiView):
    """A run's state."""

    query_names: ClassVar[frozenset[str]] = frozenset({"seq"})

    @extend_schema(
        responses=StateOut, operation_id="run_state", parameters=[OpenApiParameter("seq", int)]
    )
    def get(self, request: Request, run_id: object) -> Response:
        """Return the state at `seq`, by default the present one."""
        run = self.run(run_id)
        seq = self.number("seq", -1)
        if seq > run.seq or seq == 0:
            raise InvalidInput(f"this run has seq 1 to {run.seq}", path="seq")
        if (kept := archived_run(run.pk)) is not None:
            kept.whole()
        return Response(engine_door.engine().state_at(run.pk, None if seq < 0 else seq))


class BlobView(ApiView):
    """A large value of a run."""

    @extend_schema(responses={(200, "application/json"): JsonMap}, operation_id="run_blob")
    def get(self, request: Request, run_id: object, sha256: str) -> HttpResponse:
        """Return the value, if the run's log mentions it."""
        run = self.run(run_id)
        value = log.value_of(run.pk, sha256)
        if value is None:
            raise NotFound("no such value in this run", code="BlobNotFound")
        answer = HttpResponse(value, content_type="application/json")
        answer["Cache-Control"] = "private, max-age=31536000, immutable"
        answer["Content-Security-Policy"] = "sandbox; default-src 'none'"
        return answer


class CancelView(ApiView):
    """Ending a run."""

    @extend_schema(request=CancelBody, responses={202: RunItem}, operation_id="cancel_run")
    def post(self, request: Request, run_id: object) -> Response:
        """Begin to end the run."""
        run = self.run(run_id)
        reason = CancelBody.read(self.request.data).reason
        runs.cancel_run(self.member_of(run.workspace_id), run, reason=reason)
        return Response(run_items([self.run(run.pk)])[0], status=202)


def run_items(rows: Sequence[Run]) -> list[RunItem]:
    """Return runs as in lists, with a query each for people, titles, tags and waits."""
    titles, marks = titles_of(rows), marks_of(rows)
    names = figures.people(_people_of(rows, marks))
    return [run_item(run, names, titles[run.pk], marks[run.pk]) for run in rows]


def _people_of(rows: Sequence[Run], marks: dict[str, Marks]) -> set[str | None]:
    return {run.started_by for run in rows} | {mark.rejected_by for mark in marks.values()}


def run_item(run: Run, names: dict[str, str], title: str = "", marks: Marks = UNMARKED) -> RunItem:
    """Return one run as in lists."""
    graph, version = run.graph, run.version
    error = orjson.loads(run.error) if run.error else None
    return RunItem(
        id=run.pk,
        title=title,
        graph=GraphRef(
            id=run.graph_id, slug=run.graph_slug, name=graph.name if graph else run.graph_slug
        ),
        version=version.number if version else None,
        is_draft=version.is_draft if version else False,
        status=run.status,
        waiting_for=[*orjson.loads(run.waiting_for or "[]"), *marks.calls],
        started_by=person(run.started_by, names),
        source=run.source,
        trigger=None if run.trigger is None else Named(id=run.trigger, name=marks.trigger),
        started_at=time(run.started_at),
        ended_at=time_or_none(run.ended_at),
        duration_ms=None if run.ended_at is None else run.ended_at - run.started_at,
        spend=Spend(tokens=run.spent_tokens, usd=usd(run.spent_pico)),
        limit_usd=usd_or_none(run.limit_pico),
        error=None
        if error is None
        else RunErrorOut(
            code=error["code"],
            message=error["message"],
            node=error.get("node"),
            label=marks.failed_at or None,
        ),
        rejected=marks.rejected,
        rejected_by=person(marks.rejected_by, names),
        parent_run=run.parent_run,
        seq=run.seq,
        tags=dict(marks.tags),
        archived_at=time_or_none(marks.archived_at),
        kept=marks.kept,
        waiting_since=time_or_none(marks.waiting_since),
        waits_until=time_or_none(marks.waits_until),
        queued_behind=marks.queued_behind,
    )


def run_detail(run: Run, member: Membership) -> RunDetail:
    """Return a run's picture; the log is append-only, so reading up to one seq is a snapshot."""
    head = run.seq
    started, last = log.first_and_last(run.pk, head)
    versions = GraphVersion.objects.filter(pk=run.version_id)
    document = versions.values_list("document", flat=True).first()
    opened = list(Interrupt.objects.filter(run=run.pk).order_by("opened_at", "pk"))
    shown = interrupts_out(opened, member)
    marks = marks_of([run])
    names = figures.people(_people_of([run], marks))
    title = title_of_start(run, started)
    item = run_item(run, names, title, marks[run.pk]).model_dump(exclude={"spend"})
    return RunDetail(
        **item,
        as_of_seq=head,
        input=started.get("input"),
        goal=started.get("goal") or "",
        result=last.get("result"),
        document=document or {},
        spend=SpendDetail(
            usd=usd(run.spent_pico),
            tokens=run.spent_tokens,
            held_usd=usd(run.held_pico),
            held_tokens=run.held_tokens,
            limit_usd=usd_or_none(run.limit_pico),
            limit_tokens=run.limit_tokens,
            tightest=_tightest(run, started, member),
            by_node=log.spend_by_node(run.pk, head),
        ),
        interrupts=shown,
        forked_from=started.get("forked_from"),
        cause=cause_of(run),
        until=started.get("until"),
        only=started.get("only"),
        draft_differs=may_retry(member, run) and runs.draft_differs(run),
        retried=_retried(run),
        can=RunCan(
            cancel=may_cancel(member, run),
            retry=may_retry(member, run),
            fork=may_fork(member, run),
            decide=may(member, Right.DECIDE) or any(i.can_decide for i in shown),
        ),
    )


def _retried(run: Run) -> RetriedOut | None:
    if (again := runs.retry_of(run)) is None:
        return None
    return RetriedOut(
        id=again.pk,
        status=again.status,
        rejected=failed_at([again]).get(again.pk, ("", False))[1],
        started_at=time(again.started_at),
        waits_until=time_or_none(asleep([again]).get(again.pk)),
    )


def _tightest(run: Run, started: JsonMap, member: Membership) -> BudgetOut | None:
    """Return the shared budget with least left of those that the run spends from."""
    above = started.get("parent") or {}
    zone, by = str(member.workspace.all_settings["timezone"]), run.trigger or above.get("trigger")
    found = tightest(run.workspace_id, [*above.get("charged", ()), run.graph_slug], zone, by)
    return None if found is None else budget_out(found)


def person(user_id: str | None, names: dict[str, str]) -> Named | str | None:
    """Return a person by id and name, other starters (`cli`) as they are written."""
    if user_id is None:
        return None
    return Named(id=user_id, name=names[user_id]) if user_id in names else user_id
