"""The inbox: what waits for people, and their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.files import csv_file, wants_csv
from builder.api.http.pagination import Page, Window, page
from builder.api.http.schema.api_schema import with_csv
from builder.api.http.view import ApiView
from builder.api.http.wire import Body, JsonMap, Listing, Text, Tokens, Usd
from builder.api.inbox.lists.filters import FILTERS, narrowed, ordered
from builder.api.inbox.lists.usual import usual_list
from builder.api.inbox.wire import DecidedOut, InterruptOut, interrupts_out
from builder.base.errors import NotFound
from builder.models import Interrupt, Membership
from builder.reads.inbox.conditions import LONGEST
from builder.reads.reviews.item_lines import MAX_ROWS, item_lines
from builder.services.runs.deciding.holds import hold_or_answer
from builder.services.runs.deciding.looks import Seen, keep_look
from builder.services.runs.interrupts import answer_interrupt
from engine.core.errors import RequestRefused
from engine.core.node_types.node_type import UNSET
from engine.core.state.requests import Answer

LONGEST_LOOK_MS: Final = 7 * 86_400_000
Decision = Literal["approved", "rejected", "raise", "stop", "happened", "retry", "skip"]


class SeenBody(Body):
    """For how long an item was on the screen, in all, and whether anything of it was opened."""

    ms: Annotated[int, Field(ge=0, le=LONGEST_LOOK_MS)]
    opened: bool


class AnswerBody(Body):
    """An answer; which fields count depends on the kind."""

    token: Annotated[str, Field(min_length=1, max_length=500)]
    content_hash: Annotated[str, Field(max_length=64)] | None = None
    decision: Decision | None = None
    comment: Annotated[Text, Field(max_length=10_000)] | None = None
    confirmed: Annotated[Text, Field(max_length=64)] | None = None
    edits: JsonMap | None = None
    selected: Any = None
    choice: Any = None
    choices: Any = None
    values: JsonMap | None = None
    max_cost_usd: Usd | None = None
    max_tokens: Tokens | None = None
    result: Any = None
    stands_for: Annotated[Text, Field(max_length=64)] | None = None
    cancel: bool = False
    hold: bool = False
    seen: SeenBody | None = None
    request_id: Annotated[str, Field(max_length=200)] | None = Field(None, alias="requestId")

    def to_answer(self) -> Answer:
        """Return the answer as the engine takes it."""
        names = set(AnswerBody.model_fields) - {"request_id", "hold", "seen"}
        fields: dict[str, Any] = {name: getattr(self, name) for name in names}
        for name in ("selected", "choice", "choices", "values", "result"):
            if name not in self.model_fields_set:
                fields[name] = UNSET
        return Answer(**fields)


class InterruptsView(ApiView):
    """The inbox of the current workspace."""

    query_names: ClassVar[frozenset[str]] = frozenset({*FILTERS, "format"})

    @extend_schema(
        responses=with_csv(Listing[InterruptOut]),
        operation_id="interrupts",
        parameters=[
            *(OpenApiParameter(name) for name in (*FILTERS, "cursor")),
            OpenApiParameter("format", enum=["json", "csv"]),
        ],
    )
    def get(self, request: Request) -> Response | HttpResponse:
        """List interrupts, the newest first unless `ordering` says otherwise; as CSV up to 10,000."""
        member = self.member()
        query = {
            name: text
            for name in FILTERS
            if (text := self.text(name, LONGEST if name == "where" else 200))
        }
        if wants_csv(self.text("format")):  # in the order of the list, what is on top of it first
            found = self._found(member, query, Window(limit=MAX_ROWS))
            return csv_file(item_lines(found.rows, member), "inbox")
        limited = bool(self.token and self.token.graphs)
        window = self.window()
        usual = None if limited else usual_list(member, query, window)
        found = self._found(member, query, window) if usual is None else usual
        results = interrupts_out(found.rows, member, interactive=self.token is None)
        return Response(Listing[InterruptOut].of(found, results))

    def _found(
        self, member: Membership, query: Mapping[str, str], window: Window
    ) -> Page[Interrupt]:
        rows = self.visible(Interrupt.objects.in_workspace(member.workspace_id))
        order = ordered(narrowed(rows, member, query), member, query)
        return page(
            order.rows,
            window,
            field=order.field,
            newest_first=order.largest_first,
            top=order.top,
        )


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

    refusals: ClassVar[tuple[int, ...]] = (202,)

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
        if interactive:
            told = body.seen
            seen = None if told is None else Seen(told.ms, told.opened)
            keep_look(member, row, answer, seen)
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
