"""What helps to decide: what a decision would lead to, and what the item is like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.adapters.directory import actor_of
from builder.api.http.view import ApiView
from builder.api.http.wire import Body, JsonMap, Named, Text, Wire, absent, time, time_or_none
from builder.api.inbox.origin import person
from builder.api.inbox.wire import EndedOut, ended_out
from builder.base import engine_door
from builder.base.turns import turns
from builder.models import InterruptCard
from builder.reads import figures
from builder.reads.inbox.alike import Alike, alike
from builder.reads.inbox.ended import Ended, endings_of
from builder.reads.runs.titles import titles_by_id
from builder.services.runs.inbox import require_voice
from engine.core.state.requests import Supposed


class ForeseeBody(Body):
    """A decision that is not made."""

    decision: Literal["approved", "rejected"]
    comment: Annotated[Text, Field(max_length=10_000)] | None = None
    edits: JsonMap | None = None


class ForeseenStepOut(Wire):
    """One step that would follow; `call` is what would be sent, without secrets."""

    node: str
    label: str
    does: str
    call: JsonMap
    effect_class: str | None
    dangerous: bool
    undo: bool
    at_most_usd: str | None
    only_if: str | None
    why_unknown: str | None


class ForesightOut(Wire):
    """The steps in their order, and how the run would end with them (`ends`), and why.

    `passes` names the steps that only work with values and are done at once, as an output is.
    """

    steps: list[ForeseenStepOut]
    ends: str | None
    why: str | None
    passes: list[str]


class AlikeItemOut(Wire):
    """Another item of the same step, or about the same; `took_ms` from asking to deciding."""

    request_id: str
    title: str
    run_title: Annotated[str, Field(description="what its run started with; may be empty")]
    amount: float | None
    status: str
    decision: str | None
    by: Named | str | None
    at: str | None
    opened_at: str
    took_ms: int | None
    ended: Annotated[EndedOut | None, Field(exclude_if=absent)] = None


class OthersOut(Wire):
    """Items that show the same value in a field; `count` ends at 50."""

    field: str
    value: str
    count: int
    items: list[AlikeItemOut]


class AlikeOut(Wire):
    """How the step was decided lately (at most 200 are counted), and what is about the same.

    `earlier` are the latest decisions of the same run.
    """

    count: int
    approved: int
    median: float | None
    amount: float | None
    last_approved: float | None
    last: list[AlikeItemOut]
    earlier: list[AlikeItemOut]
    others: list[OthersOut]


class ForeseeView(ApiView):
    """What a decision would lead to."""

    @extend_schema(request=ForeseeBody, responses=ForesightOut, operation_id="foresee_interrupt")
    def post(self, request: Request, request_id: str) -> Response:
        """Look ahead, for who may decide, run or draw; nothing is decided, recorded or sent."""
        row = self.interrupt(request_id)
        member = self.member_of(row.workspace_id)
        require_voice(member, row)
        body = ForeseeBody.read(self.request.data)
        supposed = Supposed(row.pk, body.decision, actor_of(member), body.comment, body.edits)
        with turns.taken(self.user.pk):
            found = engine_door.engine().foresee(row.run, supposed)
        return Response(ForesightOut.model_validate(found))


class AlikeView(ApiView):
    """What an item is like."""

    @extend_schema(responses=AlikeOut, operation_id="alike_interrupts")
    def get(self, request: Request, request_id: str) -> Response:
        """Return the latest decisions of its step, and items about the same."""
        row = self.interrupt(request_id)
        return Response(_told(alike(self.member_of(row.workspace_id), row)))


class _Told(NamedTuple):
    """What items are told with: names of people, how they ended, titles of runs by id."""

    names: Mapping[str, str]
    endings: Mapping[str, Ended]
    titles: Mapping[str, str]


def _told(found: Alike) -> AlikeOut:
    cards = [*found.last, *found.earlier, *(card for one in found.others for card in one.cards)]
    endings = endings_of([card.interrupt for card in cards])
    ids = [card.interrupt.decided_by for card in cards] + [one.by for one in endings.values()]
    told = _Told(figures.people(ids), endings, titles_by_id(card.interrupt.run for card in cards))
    return AlikeOut(
        count=found.count,
        approved=found.approved,
        median=found.median,
        amount=found.amount,
        last_approved=found.last_approved,
        last=[_item(card, told) for card in found.last],
        earlier=[_item(card, told) for card in found.earlier],
        others=[
            OthersOut(
                field=one.field,
                value=str(one.shown),
                count=one.count,
                items=[_item(card, told) for card in one.cards],
            )
            for one in found.others
        ],
    )


def _item(card: InterruptCard, told: _Told) -> AlikeItemOut:
    row = card.interrupt
    took = None if row.decided_at is None else row.decided_at - row.opened_at
    return AlikeItemOut(
        request_id=row.pk,
        title=card.title,
        run_title=told.titles.get(row.run, ""),
        amount=card.amount,
        status=row.status,
        decision=row.outcome,
        by=person(row.decided_by, told.names),
        at=time_or_none(row.decided_at),
        opened_at=time(row.opened_at),
        took_ms=took,
        ended=ended_out(told.endings.get(row.pk), told.names),
    )
