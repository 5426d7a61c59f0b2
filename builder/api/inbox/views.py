"""The inbox: what waits for people, and their answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Final, Literal

from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.pagination import page
from builder.api.http.view import ApiView
from builder.api.http.wire import Body, JsonMap, Listing, Text, Tokens, Usd
from builder.api.inbox.wire import DecidedOut, InterruptOut, interrupts_out
from builder.base.clock import now_ms
from builder.base.errors import InvalidInput, NotFound
from builder.models import Interrupt, Membership, Run
from builder.models.querysets import VIEWS, InterruptQuerySet
from builder.services.runs.holds import hold_or_answer
from builder.services.runs.interrupts import answer_interrupt
from engine.core.budgets.money import pico
from engine.core.errors import RequestRefused
from engine.core.node_types.node_type import UNSET
from engine.core.state.requests import Answer

FILTERS: Final = (
    "state",
    "view",
    "kind",
    "graph",
    "node",
    "run",
    "asked",
    "starter",
    "search",
    "field",
    "min_age_hours",
    "min_cost_usd",
    "ordering",
)
ORDERINGS: Final = {
    "opened": "opened_at",
    "deadline": "deadline_sorted",
    "amount": "amount_sorted",
    "risk": "risk_sorted",
}
"""What lists sort by, with the largest first after a `-`."""
HOUR_MS: Final = 3_600_000
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
    hold: bool = False
    request_id: Annotated[str, Field(max_length=200)] | None = Field(None, alias="requestId")

    def to_answer(self) -> Answer:
        """Return the answer as the engine takes it."""
        names = set(AnswerBody.model_fields) - {"request_id", "hold"}
        fields: dict[str, Any] = {name: getattr(self, name) for name in names}
        for name in ("selected", "choice", "choices", "values", "result"):
            if name not in self.model_fields_set:
                fields[name] = UNSET
        return Answer(**fields)


class AtLeast(Body):
    """How long an item has been there, and what its run has spent."""

    min_age_hours: Annotated[int, Field(ge=1, le=87_600, strict=False)] | None = None
    min_cost_usd: Usd | None = None


class InterruptsView(ApiView):
    """The inbox of the current workspace."""

    query_names: ClassVar[frozenset[str]] = frozenset(FILTERS)

    @extend_schema(
        responses=Listing[InterruptOut],
        operation_id="interrupts",
        parameters=[OpenApiParameter(name) for name in (*FILTERS, "cursor")],
    )
    def get(self, request: Request) -> Response:
        """List interrupts, the newest first unless `ordering` says otherwise."""
        member = self.member()
        rows = self.visible(Interrupt.objects.in_workspace(member.workspace_id))
        state = self.text("state")
        if state not in ("", "open", "done"):
            raise InvalidInput("open or done", path="state")
        if state:
            rows = rows.open() if state == "open" else rows.exclude(status="open")
        if view := self.text("view"):
            if view not in VIEWS:
                raise InvalidInput(f"one of {', '.join(VIEWS)}", path="view")
            rows = rows.seen_as(view, member)
        rows = self._at_least(self._narrowed(rows))
        field, largest_first = self._ordering()
        rows = rows.with_deadline() if field == "deadline_sorted" else rows
        rows = rows.with_amount() if field == "amount_sorted" else rows
        rows = rows.with_risk() if field == "risk_sorted" else rows
        found = page(rows, self.window(), field=field, newest_first=largest_first)
        results = interrupts_out(found.rows, member, interactive=self.token is None)
        return Response(Listing[InterruptOut].of(found, results))

    def _narrowed(self, rows: InterruptQuerySet) -> InterruptQuerySet:
        if kind := self.text("kind"):
            rows = rows.filter(kind__in=kind.split(","))
        if graph := self.text("graph"):
            rows = rows.filter(run__in=Run.objects.filter(graph=graph).values("pk"))
        if node := self.text("node"):
            rows = rows.filter(node=node)
        if run := self.text("run"):
            rows = rows.filter(run=run)
        if starter := self.text("starter"):
            rows = rows.filter(run__in=Run.objects.filter(started_by=starter).values("pk"))
        if entry := self.text("asked"):
            rows = rows.asking(entry)
        if shown := self.text("field"):
            name, colon, value = shown.partition(":")
            if not colon:
                raise InvalidInput("a field and its value, with a colon between", path="field")
            rows = rows.showing(name, value)
        return rows.search(search) if (search := self.text("search")) else rows

    def _ordering(self) -> tuple[str, bool]:
        wanted = self.text("ordering") or "-opened"
        field = ORDERINGS.get(wanted.removeprefix("-"))
        if field is None:
            known = ", ".join(ORDERINGS)
            raise InvalidInput(
                f"one of {known}, with - before it the largest first", path="ordering"
            )
        return field, wanted.startswith("-")

    def _at_least(self, rows: InterruptQuerySet) -> InterruptQuerySet:
        given = {name: text for name in AtLeast.model_fields if (text := self.text(name))}
        least = AtLeast.read(given)
        if least.min_age_hours is not None:
            opened_by = now_ms() - least.min_age_hours * HOUR_MS
            rows = rows.filter(opened_at__lte=opened_by)
        if least.min_cost_usd is not None:
            costly = Run.objects.filter(spent_pico__gte=pico(least.min_cost_usd))
            rows = rows.filter(run__in=costly.values("pk"))
        return rows


class InterruptView(ApiView):
    """An item of the inbox with everything a decision needs."""

    @extend_schema(responses=InterruptOut, operation_id="interrupt")
    def get(self, request: Request, request_id: str) -> Response:
        """Return the interrupt. Looking never decides."""
        row = self.interrupt(request_id)
        member = self.member_of(row.workspace_id)
        return Response(interrupts_out([row], member, interactive=self.token is None)[0])


class AnswerView(ApiView):
    """Takes a decision or an answer: the first that is valid counts, once."""

    @extend_schema(request=AnswerBody, responses=InterruptOut, operation_id="answer_interrupt")
    def post(self, request: Request, request_id: str) -> Response:
        """Answer; the same answer again gets the same result."""
        row = self.interrupt(request_id)
        member = self.member_of(row.workspace_id)
        interactive = self.token is None
        body = AnswerBody.read(self.request.data)
        if body.request_id not in (None, request_id):
            raise NotFound("token and request do not match", code="InterruptNotFound")
        answer = body.to_answer()
        try:
            if body.hold and interactive:
                hold_or_answer(member, row, answer)
            else:
                answer_interrupt(member, row, answer, interactive=interactive)
        except RequestRefused as refused:
            tell_decided(refused, lambda: self._shown(request_id, member, interactive))
            raise
        return Response(self._shown(request_id, member, interactive))

    def _shown(self, request_id: str, member: Membership, interactive: bool) -> InterruptOut:
        return interrupts_out([self.interrupt(request_id)], member, interactive=interactive)[0]


def tell_decided(refused: RequestRefused, shown: Callable[[], InterruptOut]) -> None:
    """Put the recorded decision into a refusal, in the form in which interrupts are told."""
    if "decided" not in refused.detail:
        return
    item = shown()
    decided = item.decided or _said_before(item)
    refused.detail["decided"] = decided and decided.model_dump(mode="json")


def _said_before(shown: InterruptOut) -> DecidedOut | None:
    """Return the caller's own decision of an approval that is still open."""
    said = shown.quorum.approvals if shown.quorum and shown.my_decision == "rejected" else ()
    mine = next((one for one in said if one.decision == "rejected"), None)
    if mine is None:
        return None
    return DecidedOut(by=mine.by, at=mine.at, decision=mine.decision, comment=mine.comment)
