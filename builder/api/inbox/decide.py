"""Deciding many items with one request, taking decisions back, and for how long that can be done."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Final, Literal, TypeAlias

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import EVERYTHING, WRITES, ApiView
from builder.api.http.wire import Body, Listing, Text, Wire, time
from builder.base import engine_door
from builder.base.errors import InvalidInput, ServiceError
from builder.models import HeldDecision, Interrupt, Membership
from builder.services.runs.deciding import holds
from builder.services.runs.deciding.looks import keep_look
from engine.core.errors import RequestRefused
from engine.core.state.requests import Answer

MAX_ITEMS: Final = 500
Action: TypeAlias = Callable[[Membership, Interrupt], HeldDecision | None]
RequestId = Annotated[str, Field(min_length=1, max_length=64)]


class ItemBody(Body):
    """One item by its id and the hash of what was looked at."""

    id: RequestId
    hash: Annotated[str, Field(min_length=1, max_length=64)]


class DecideBody(Body):
    """One decision of many approvals."""

    items: Annotated[list[ItemBody], Field(min_length=1, max_length=MAX_ITEMS)]
    decision: Literal["approved", "rejected"]
    comment: Annotated[Text, Field(max_length=10_000)] | None = None


class WithdrawBody(Body):
    """What is taken back."""

    ids: Annotated[list[RequestId], Field(min_length=1, max_length=MAX_ITEMS)]


class OutcomeOut(Wire):
    """What became of one item: `held` until `commit_at`, what was done with it, or `refused`."""

    id: str
    state: Literal["held", "decided", "withdrawn", "claimed", "snoozed", "delegated", "refused"]
    commit_at: str | None = None
    code: str | None = None
    detail: str | None = None


class DecidingBody(Body):
    """For how many seconds, 0 for not at all."""

    seconds: Annotated[int, Field(ge=0, le=holds.LONGEST_SECONDS)]


class DecidingOut(Wire):
    """For how many seconds the caller's decisions can be taken back."""

    seconds: int


class ManyView(ApiView):
    """A verb on many items at once; each has its own result. Only signed-in people use it."""

    people_only = EVERYTHING

    def each(self, ids: list[str], action: Action, done: str, member: Membership) -> Response:
        """Do `action` with each item, in the order given, and return what became of it."""
        if len(set(ids)) != len(ids):
            raise InvalidInput("each item once", path="items")
        rows = Interrupt.objects.in_workspace(member.workspace_id).filter(pk__in=ids)
        found = {row.pk: row for row in rows}
        results = [_outcome(one, found.get(one), partial(action, member), done) for one in ids]
        return Response(Listing[OutcomeOut](results=results, total=len(results)))


class DecideView(ManyView):
    """Many approvals, one decision."""

    @extend_schema(
        request=DecideBody, responses=Listing[OutcomeOut], operation_id="decide_interrupts"
    )
    def post(self, request: Request) -> Response:
        """Decide each for exactly what was looked at; one that has changed stays as it is."""
        member = self.member()
        body = DecideBody.read(self.request.data)
        hashes = {item.id: item.hash for item in body.items}
        seconds = holds.window_of(self.user)

        def decided(member: Membership, row: Interrupt) -> HeldDecision | None:
            answer = Answer(
                token=engine_door.engine().resume_token(row.pk),
                content_hash=hashes[row.pk],
                decision=body.decision,
                comment=body.comment,
            )
            keep_look(member, row, answer)
            return holds.hold_or_answer(member, row, answer, seconds=seconds, alone=False)

        return self.each([item.id for item in body.items], decided, "decided", member)


class WithdrawView(ManyView):
    """What is taken back before it is sent."""

    @extend_schema(
        request=WithdrawBody, responses=Listing[OutcomeOut], operation_id="withdraw_decisions"
    )
    def post(self, request: Request) -> Response:
        """Take back what one decided: nothing is decided then."""
        member = self.member()
        return self.each(
            WithdrawBody.read(self.request.data).ids, holds.withdraw, "withdrawn", member
        )


class DecidingView(ApiView):
    """For how long the caller can take decisions back."""

    people_only = WRITES

    @extend_schema(responses=DecidingOut, operation_id="deciding")
    def get(self, request: Request) -> Response:
        """Return it."""
        return Response(DecidingOut(seconds=holds.window_of(self.user)))

    @extend_schema(request=DecidingBody, responses=DecidingOut, operation_id="choose_deciding")
    def patch(self, request: Request) -> Response:
        """Choose; it counts from the next decision on."""
        holds.choose_window(self.user, DecidingBody.read(self.request.data).seconds)
        return self.get(request)


def _outcome(
    request_id: str,
    row: Interrupt | None,
    action: Callable[[Interrupt], HeldDecision | None],
    done: str,
) -> OutcomeOut:
    if row is None:
        return _refused(request_id, "InterruptNotFound", "no such request")
    try:
        held = action(row)
    except (RequestRefused, ServiceError) as refused:
        return _refused(request_id, refused.code, str(refused))
    if held is None or held.state == HeldDecision.State.WITHDRAWN:
        return OutcomeOut.model_validate({"id": request_id, "state": done})
    return OutcomeOut(id=request_id, state="held", commit_at=time(held.commit_at))


def _refused(request_id: str, code: str, detail: str) -> OutcomeOut:
    return OutcomeOut(id=request_id, state="refused", code=code, detail=detail)
