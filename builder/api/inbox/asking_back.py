"""Asking back about an item, and the reply. Neither decides anything."""

from __future__ import annotations

from typing import Annotated, ClassVar

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.graphs.commenting.wire import Mentions
from builder.api.http.wire import Body, Listing, Text, Wire
from builder.api.inbox.verbs import ItemView
from builder.api.inbox.wire import InterruptOut
from builder.services.runs.deciding import asking_back
from builder.services.runs.inbox import require_part

Words = Annotated[Text, Field(min_length=1, max_length=4_000)]


class AskBackBody(Body):
    """Who is asked, what, and the ids of members whom the question names as `@name`."""

    to: Annotated[Text, Field(min_length=1, max_length=64)]
    question: Words
    mentions: Mentions = []


class AnswerBackBody(Body):
    """The reply, and the ids of members whom it names as `@name`."""

    reply: Words
    mentions: Mentions = []


class AskableOut(Wire):
    """Somebody who can be asked; `started` is whether the run is theirs."""

    id: str
    name: str
    started: bool


class AskBackView(ItemView):
    """A question to the starter or an author, while which the clock stands still."""

    refusals: ClassVar[tuple[int, ...]] = (202,)

    @extend_schema(responses=Listing[AskableOut], operation_id="whom_to_ask_back")
    def get(self, request: Request, request_id: str) -> Response:
        """List whom one can ask, the run's starter first."""
        row, member = self.found(request_id)
        people = asking_back.askable(member, row)
        results = [AskableOut(id=one.id, name=one.name, started=one.started) for one in people]
        return Response(Listing[AskableOut](results=results))

    @extend_schema(request=AskBackBody, responses=InterruptOut, operation_id="ask_back")
    def post(self, request: Request, request_id: str) -> Response:
        """Ask; the clock stops until the reply, seven days in all at most."""
        row, member = self.found(request_id)
        require_part(member, row)
        body = AskBackBody.read(self.request.data)
        asking_back.ask_back(member, row, body.to, body.question, body.mentions)
        return self.shown(row, member)

    @extend_schema(responses={200: InterruptOut}, operation_id="take_question_back")
    def delete(self, request: Request, request_id: str) -> Response:
        """Wait for no reply any more: the clock goes on."""
        row, member = self.found(request_id)
        require_part(member, row)
        asking_back.take_back(member, row)
        return self.shown(row, member)


class AnswerBackView(ItemView):
    """The reply of who was asked."""

    refusals: ClassVar[tuple[int, ...]] = (202,)

    @extend_schema(request=AnswerBackBody, responses=InterruptOut, operation_id="answer_back")
    def post(self, request: Request, request_id: str) -> Response:
        """Reply; the clock goes on, and the item is the reviewer's again."""
        row, member = self.found(request_id)
        body = AnswerBackBody.read(self.request.data)
        asking_back.answer_back(member, row, body.reply, body.mentions)
        return self.shown(row, member)
