"""The inbox: what waits for people, and their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from django.db.models import prefetch_related_objects
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder import figures, log, runtime
from builder.api.base import ApiView
from builder.api.pagination import page
from builder.api.wire import (
    Body,
    JsonMap,
    Listing,
    Named,
    Text,
    Tokens,
    Usd,
    Wire,
    absent,
    time,
    time_or_none,
    usd,
)
from builder.errors import InvalidInput, NotFound
from builder.models import GraphVersion, Interrupt, Membership, Run
from builder.permissions import QUESTIONS, why_not_decide
from builder.services.interrupts import answer_interrupt
from engine.errors import RequestRefused
from engine.node import UNSET
from engine.requests import Answer

Decision = Literal["approved", "rejected", "raise", "stop", "happened", "retry", "skip"]


class AnswerBody(Body):
    """An answer; which fields count depends on the kind."""

    token: Annotated[str, Field(min_length=1, max_length=500)]
    content_hash: Annotated[str, Field(max_length=64)] | None = None
    decision: Decision | None = None
    comment: Annotated[Text, Field(max_length=10_000)] | None = None
    edits: JsonMap | None = None
    selected: Any = None
    choice: Any = None
    choices: Any = None
    values: JsonMap | None = None
    max_cost_usd: Usd | None = None
    max_tokens: Tokens | None = None
    result: Any = None
    cancel: bool = False
    request_id: Annotated[str, Field(max_length=200)] | None = Field(None, alias="requestId")

    def to_answer(self) -> Answer:
        """Return the answer as the engine takes it."""
        names = set(AnswerBody.model_fields) - {"request_id"}
        fields: dict[str, Any] = {name: getattr(self, name) for name in names}
        for name in ("selected", "choice", "choices", "values", "result"):
            if name not in self.model_fields_set:
                fields[name] = UNSET
        return Answer(**fields)


class InterruptGraph(Wire):
    """The graph of an interrupt."""

    id: str | None
    name: str


class InterruptRun(Wire):
    """The run of an interrupt."""

    id: str
    graph: InterruptGraph
    started_by: Named | str | None


class DecidedOut(Wire):
    """What was decided, by whom and when."""

    by: Named | str | None
    at: str | None
    decision: str
    comment: str | None
    answer: Any = None
    given: Annotated[Any, Field(exclude_if=absent)] = None


class InterruptOut(Wire):
    """A pause that waits, or waited, for a person."""

    request_id: str
    run: InterruptRun
    node: str
    node_label: str
    key: str
    kind: str
    status: str
    opened_at: str
    expires_at: str | None
    request: JsonMap
    content_hash: str | None
    resume_token: Annotated[str | None, Field(exclude_if=absent)] = None
    can_decide: bool
    why_not: Annotated[str | None, Field(exclude_if=absent)] = None
    decided: DecidedOut | None
    spend_usd: str


class InterruptsView(ApiView):
    """The inbox of the current workspace."""

    query_names: ClassVar[frozenset[str]] = frozenset({"state", "kind", "graph", "run"})

    @extend_schema(
        responses=Listing[InterruptOut],
        operation_id="interrupts",
        parameters=[OpenApiParameter(name) for name in ("state", "kind", "graph", "run", "cursor")],
    )
    def get(self, request: Request) -> Response:
        """List interrupts, the newest first."""
        member = self.member()
        rows = self.visible(Interrupt.objects.in_workspace(member.workspace_id))
        state = self.text("state")
        if state not in ("", "open", "done"):
            raise InvalidInput("open or done", path="state")
        if state:
            rows = rows.open() if state == "open" else rows.exclude(status="open")
        if kind := self.text("kind"):
            rows = rows.filter(kind__in=kind.split(","))
        if graph := self.text("graph"):
            rows = rows.filter(run__in=Run.objects.filter(graph=graph).values("pk"))
        if run := self.text("run"):
            rows = rows.filter(run=run)
        found = page(rows, self.window(), field="opened_at")
        results = interrupts_out(found.rows, member, interactive=self.token is None)
        return Response(Listing[InterruptOut](results=results, next=found.next))


class InterruptView(ApiView):
    """One interrupt."""

    @extend_schema(responses=InterruptOut, operation_id="interrupt")
    def get(self, request: Request, request_id: str) -> Response:
        """Return the interrupt. Looking never decides."""
        row = self.interrupt(request_id)
        member = self.member_of(row.workspace_id)
        return Response(interrupts_out([row], member, interactive=self.token is None)[0])


class AnswerView(ApiView):
    """Answers."""

    @extend_schema(request=AnswerBody, responses=InterruptOut, operation_id="answer_interrupt")
    def post(self, request: Request, request_id: str) -> Response:
        """Answer; the same answer again gets the same result."""
        row = self.interrupt(request_id)
        member = self.member_of(row.workspace_id)
        interactive = self.token is None
        body = self.body(AnswerBody)
        if body.request_id not in (None, request_id):
            raise NotFound("token and request do not match", code="InterruptNotFound")
        answer = body.to_answer()
        try:
            answer_interrupt(member, row, answer, interactive=interactive)
        except RequestRefused as refused:
            if "decided" not in refused.detail:
                raise
            decided = self._shown(request_id, member, interactive).decided
            refused.detail["decided"] = decided and decided.model_dump(mode="json")
            raise
        return Response(self._shown(request_id, member, interactive))

    def _shown(self, request_id: str, member: Membership, interactive: bool) -> InterruptOut:
        return interrupts_out([self.interrupt(request_id)], member, interactive=interactive)[0]


@dataclass(frozen=True, slots=True)
class _Around:
    """What surrounds a page of interrupts, read in a fixed number of queries."""

    runs: Mapping[str, Run]
    names: dict[str, str]
    labels: Mapping[tuple[str, str], str]
    events: Mapping[tuple[str, int], dict[str, Any]]


def interrupts_out(
    rows: Sequence[Interrupt], member: Membership, *, interactive: bool = True
) -> list[InterruptOut]:
    """Return interrupts as `member` sees them, in five queries for any number."""
    around = _around(rows)
    prefetch_related_objects([member], "groups")
    return [_interrupt_out(row, member, around, interactive) for row in rows]


def _around(rows: Sequence[Interrupt]) -> _Around:
    runs = {
        run.pk: run
        for run in Run.objects.select_related("graph")
        .defer("graph__header")
        .filter(pk__in={row.run for row in rows})
    }
    versions = {run.version_id for run in runs.values() if run.version_id}
    labels = {
        (version_id, node["id"]): node.get("label") or node["id"]
        for version_id, document in GraphVersion.objects.filter(pk__in=versions).values_list(
            "pk", "document"
        )
        for node in document.get("nodes", ())
    }
    places = [(row.run, seq) for row in rows for seq in (row.opened_seq, row.resolved_seq)]
    people = [run.started_by for run in runs.values()] + [row.decided_by for row in rows]
    return _Around(runs, figures.people(people), labels, log.data_at(places))


def _interrupt_out(
    row: Interrupt, member: Membership, around: _Around, interactive: bool
) -> InterruptOut:
    run = around.runs.get(row.run)
    asked = around.events.get((row.run, row.opened_seq), {})
    started_by = run.started_by if run else None
    why_not = None
    if row.status == "open":
        why_not = why_not_decide(member, started_by=started_by, asked=asked)
    may_decide = row.status == "open" and why_not is None
    label = around.labels.get((run.version_id or "", row.node)) if run else None
    return InterruptOut(
        request_id=row.pk,
        run=InterruptRun(
            id=row.run,
            graph=InterruptGraph(
                id=run.graph_id if run else None,
                name=(run.graph.name if run.graph else run.graph_slug) if run else "",
            ),
            started_by=_person(started_by, around.names),
        ),
        node=row.node,
        node_label=label or row.node,
        key=row.key,
        kind=row.kind,
        status=row.status,
        opened_at=time(row.opened_at),
        expires_at=time_or_none(row.expires_at),
        request=asked.get("request") or {},
        content_hash=row.content_hash,
        resume_token=runtime.engine().resume_token(row.pk)
        if may_decide and (interactive or row.kind in QUESTIONS)
        else None,
        can_decide=may_decide,
        why_not=why_not,
        decided=_decided(row, around),
        spend_usd=usd(run.spent_pico) if run else "0",
    )


def _decided(row: Interrupt, around: _Around) -> DecidedOut | None:
    if row.status == "open":
        return None
    resolved = around.events.get((row.run, row.resolved_seq or 0), {})
    answer = resolved.get("answer")
    decision = answer.get("decision") if isinstance(answer, dict) else None
    return DecidedOut(
        by=_person(row.decided_by, around.names),
        at=time_or_none(row.decided_at),
        decision=str(decision or row.outcome or row.status),
        comment=resolved.get("comment"),
        answer=answer,
        given=resolved.get("given"),
    )


def _person(user_id: str | None, names: Mapping[str, str]) -> Named | str | None:
    if user_id is None:
        return None
    return Named(id=user_id, name=names[user_id]) if user_id in names else user_id
