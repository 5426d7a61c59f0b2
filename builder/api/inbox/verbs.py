"""The verbs of the inbox beside deciding: claim, snooze, delegate, of one item and of many, and the
thread of an item.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.graphs.commenting.wire import Mentions
from builder.api.http.view import ApiView
from builder.api.http.wire import Body, Listing, Moment, Named, Text, Wire, moment
from builder.api.inbox.decide import ManyView, OutcomeOut, RequestId
from builder.api.inbox.wire import InterruptOut, interrupts_out
from builder.base.errors import NotAllowed
from builder.models import Comment, Interrupt, Membership
from builder.services.runs import inbox

AuditAction = Callable[[Membership, Interrupt], None]
MAX_TOGETHER: Final = 1_000
"""Items of one request that decides nothing."""


class ClaimBody(Body):
    """Whether to claim what somebody else has claimed."""

    take_over: bool = False


class SnoozeBody(Body):
    """Until when."""

    until: Moment


class DelegateBody(Body):
    """Who is asked, and why."""

    to: Annotated[Text, Field(min_length=1, max_length=64)]
    note: Annotated[Text, Field(max_length=1_000)] = ""


class ManyBody(Body):
    """The items of a request, each once."""

    ids: Annotated[list[RequestId], Field(min_length=1, max_length=MAX_TOGETHER)]


class ClaimManyBody(ManyBody, ClaimBody):
    """Many items, and whether to claim what somebody else has claimed."""


class SnoozeManyBody(ManyBody, SnoozeBody):
    """Many items, and until when."""


class DelegateManyBody(ManyBody, DelegateBody):
    """Many items, who is asked, and why."""


class CommentBody(Body):
    """A question, or an answer, and the ids of members whom it names as `@name`."""

    text: Annotated[Text, Field(min_length=1, max_length=10_000)]
    mentions: Mentions = []


class CommentOut(Wire):
    """One entry of an item's thread."""

    id: int
    by: Named | None
    at: str
    text: str


class ItemView(ApiView):
    """A verb on one item. Only signed-in people use them."""

    def found(self, request_id: str) -> tuple[Interrupt, Membership]:
        """Return the item and the caller's membership. Raises `NotFound`, `NotAllowed`."""
        row = self.interrupt(request_id)
        if self.token is not None:
            raise NotAllowed("this takes a signed-in person")
        return row, self.member_of(row.workspace_id)

    def after(self, request_id: str, action: AuditAction) -> Response:
        """Return the item as it is once somebody who may decide it has done `action`."""
        row, member = self.found(request_id)
        inbox.require_part(member, row)
        action(member, row)
        return self.shown(row, member)

    def shown(self, row: Interrupt, member: Membership) -> Response:
        """Return the item as it is now."""
        fresh = Interrupt.objects.in_workspace(row.workspace_id).get(pk=row.pk)
        return Response(interrupts_out([fresh], member)[0])


class ClaimView(ItemView):
    """Who is at it."""

    @extend_schema(request=ClaimBody, responses=InterruptOut, operation_id="claim")
    def post(self, request: Request, request_id: str) -> Response:
        """Claim it; others see that, and may still decide."""
        return self.after(
            request_id,
            lambda who, row: inbox.claim(
                who, row, take_over=ClaimBody.read(self.request.data).take_over
            ),
        )

    @extend_schema(responses={200: InterruptOut}, operation_id="unclaim")
    def delete(self, request: Request, request_id: str) -> Response:
        """Let go of it."""
        return self.after(request_id, inbox.unclaim)


class SnoozeView(ItemView):
    """Not now."""

    @extend_schema(request=SnoozeBody, responses=InterruptOut, operation_id="snooze")
    def post(self, request: Request, request_id: str) -> Response:
        """Hide it from the caller's lists until then."""
        return self.after(
            request_id,
            lambda who, row: inbox.snooze(who, row, SnoozeBody.read(self.request.data).until),
        )

    @extend_schema(responses={200: InterruptOut}, operation_id="unsnooze")
    def delete(self, request: Request, request_id: str) -> Response:
        """Show it again."""
        return self.after(request_id, inbox.unsnooze)


class DelegateView(ItemView):
    """Ask somebody else."""

    @extend_schema(request=DelegateBody, responses=InterruptOut, operation_id="delegate")
    def post(self, request: Request, request_id: str) -> Response:
        """Ask another person, who may decide it too, to do so."""

        def action(who: Membership, row: Interrupt) -> None:
            body = DelegateBody.read(self.request.data)
            inbox.delegate(who, row, body.to, body.note)

        return self.after(request_id, action)


class ClaimManyView(ManyView):
    """Who is at many items."""

    @extend_schema(
        request=ClaimManyBody, responses=Listing[OutcomeOut], operation_id="claim_interrupts"
    )
    def post(self, request: Request) -> Response:
        """Claim each; what somebody else has claimed stays theirs unless it is taken over."""
        member, body = self.member(), ClaimManyBody.read(self.request.data)

        def claimed(member: Membership, row: Interrupt) -> None:
            inbox.claim(member, row, take_over=body.take_over)

        return self.each(body.ids, claimed, "claimed", member)


class SnoozeManyView(ManyView):
    """Many items, not now."""

    @extend_schema(
        request=SnoozeManyBody, responses=Listing[OutcomeOut], operation_id="snooze_interrupts"
    )
    def post(self, request: Request) -> Response:
        """Hide each until then; one whose deadline comes before that stays in sight."""
        member, body = self.member(), SnoozeManyBody.read(self.request.data)
        inbox.require_ahead(body.until)

        def snoozed(member: Membership, row: Interrupt) -> None:
            inbox.snooze(member, row, body.until)

        return self.each(body.ids, snoozed, "snoozed", member)


class DelegateManyView(ManyView):
    """Many items for somebody else."""

    @extend_schema(
        request=DelegateManyBody, responses=Listing[OutcomeOut], operation_id="delegate_interrupts"
    )
    def post(self, request: Request) -> Response:
        """Ask another person to decide each that they may decide."""
        member, body = self.member(), DelegateManyBody.read(self.request.data)
        inbox.require_another(member, body.to)

        def delegated(member: Membership, row: Interrupt) -> None:
            inbox.delegate(member, row, body.to, body.note)

        return self.each(body.ids, delegated, "delegated", member)


class CommentsView(ItemView):
    """The thread of an item."""

    @extend_schema(responses=Listing[CommentOut], operation_id="comments")
    def get(self, request: Request, request_id: str) -> Response:
        """List what was asked and answered, the oldest first."""
        row, _member = self.found(request_id)
        found = Comment.objects.filter(interrupt=row).select_related("author")[:500]
        return Response(Listing[CommentOut](results=[comment_out(one) for one in found]))

    @extend_schema(request=CommentBody, responses={201: CommentOut}, operation_id="comment")
    def post(self, request: Request, request_id: str) -> Response:
        """Ask for information, or give it."""
        row, member = self.found(request_id)
        inbox.require_voice(member, row)
        body = CommentBody.read(self.request.data)
        added = inbox.comment(member, row, body.text, body.mentions)
        return Response(comment_out(added), status=201)


def comment_out(one: Comment) -> CommentOut:
    """Return one entry of a thread."""
    by = Named(id=one.author.pk, name=str(one.author)) if one.author else None
    return CommentOut(id=one.pk, by=by, at=moment(one.at), text=one.text)
