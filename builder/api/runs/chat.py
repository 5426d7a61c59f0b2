"""Chats: a conversation with a published graph, as a stream of frames or as one answer."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request

from builder.api.http.renderers import JsonRenderer
from builder.api.http.view import ApiView
from builder.api.http.wire import Body, JsonMap, Text, Wire
from builder.api.inbox.views import tell_decided
from builder.api.inbox.wire import interrupts_out
from builder.api.runs import chat_stream
from builder.base.errors import InvalidInput
from builder.doors.called.scopes import Scope, require_scope
from builder.live import readers
from builder.models import ApiToken, Graph, Interrupt, Membership, Run
from builder.reads import event_log as log
from builder.services.runs import chat
from engine.core.errors import RequestRefused
from engine.core.people.chat_answers import Resume, resume_of

MAX_MESSAGES = 2_000
EVENT_STREAM = "text/event-stream"
Name = Annotated[Text, Field(max_length=200)]


class ChatMessage(Body):
    """One message. `metadata.resume` of the last one may answer an open question (row I5)."""

    role: Literal["user", "assistant", "system"]
    content: Text
    metadata: JsonMap | None = None


class ChatBody(Body):
    """What is said, to which graph, in which session."""

    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=MAX_MESSAGES)]
    session_id: Name | None = Field(None, alias="sessionId")
    graph_id: Name | None = Field(None, alias="graphId")
    context: JsonMap = Field(default_factory=dict)

    def to_chat(self, key: str | None) -> chat.Chat:
        """Return the request as the service takes it."""
        return chat.Chat(self.said(), self.session_id, self.graph_id, self.context, key)

    def said(self) -> list[dict[str, Any]]:
        """Return the messages as plain mappings."""
        return [message.model_dump() for message in self.messages]


class ChatFrame(Wire):
    """One event of the stream; `data` is JSON as text, `docs/api.md` has each kind."""

    event: str
    data: str
    id: str | None = None


class ChatOut(Wire):
    """The one answer that `Accept: application/json` gets."""

    run_id: str = Field(alias="runId")
    status: str
    messages: list[JsonMap]
    structured: JsonMap
    interrupts: list[JsonMap]
    error: JsonMap | None = None
    transition: JsonMap | None = None


class EventStreamRenderer(JsonRenderer):
    """Admits `text/event-stream`; what DRF itself renders are refusals, which stay JSON."""

    media_type = EVENT_STREAM
    format = "stream"


class _ChatResponses(ApiView):
    renderer_classes = (EventStreamRenderer, JsonRenderer)

    def respond(self, run: Run, after: int) -> HttpResponseBase:
        """Return the run's frames after `after`, or all of it at once for who accepts JSON only."""
        reader = self._reader(run)
        asked = getattr(self.request, "accepted_renderer", None)
        if isinstance(asked, EventStreamRenderer):
            if run.status in Run.ENDED and after >= log.head_of(run.pk):
                return HttpResponse(status=204)  # what makes an EventSource stop asking
            answer = StreamingHttpResponse(
                chat_stream.frames(reader, after), content_type=EVENT_STREAM
            )
        else:
            answer = StreamingHttpResponse(
                chat_stream.whole(reader), content_type="application/json"
            )
        answer["X-Run-Id"] = run.pk
        answer["Content-Location"] = f"/api/runs/{run.pk}/chat/"
        answer["X-Accel-Buffering"] = "no"
        return answer

    def last_seen(self, default: int) -> int:
        """Return the header `Last-Event-ID`, `default` without one. Raises `InvalidInput`."""
        text = self.request.headers.get("Last-Event-ID", "").strip()
        if not text:
            return default
        if not (text.isascii() and text.isdecimal()) or len(text) > 15:
            raise InvalidInput("the id of a frame, a whole number", path="Last-Event-ID")
        return int(text)

    def _reader(self, run: Run) -> chat_stream.ChatReader:
        user_id, token = self.user.pk, self.token
        session_key = None if token else self.request._request.session.session_key

        def still_signed_in() -> bool:
            if token is not None:
                return ApiToken.objects.live().filter(pk=token.pk).exists()
            return readers.still_signed_in(session_key, user_id)

        return chat_stream.ChatReader(
            run.pk, run.workspace_id, user_id, token is None, still_signed_in
        )


STREAMED = {(200, EVENT_STREAM): ChatFrame, (200, "application/json"): ChatOut}
LAST_SEEN = OpenApiParameter("Last-Event-ID", location=OpenApiParameter.HEADER)


class ChatView(_ChatResponses):
    """Conversations."""

    refusals: ClassVar[tuple[int, ...]] = (202,)

    @extend_schema(
        request=ChatBody,
        responses=STREAMED,
        parameters=[
            LAST_SEEN,
            OpenApiParameter("Idempotency-Key", location=OpenApiParameter.HEADER),
        ],
        operation_id="chat",
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Start the run that answers the newest user message, or answer an open question."""
        member = self.member()
        body = ChatBody.read(self.request.data)
        key, seen = self.idempotency_key(), self.last_seen(-1)
        resume = resume_of(body.said())
        require_scope(self.token, Scope.START if resume is None else Scope.ANSWER)
        if resume is None:
            graphs = self.visible(Graph.objects.all())
            run_id, before = chat.start_chat(member, graphs, body.to_chat(key)), 0
        else:
            row = self.interrupt(resume.request_id)
            run_id, owner = row.run, self.member_of(row.workspace_id)
            before = self._answer(owner, row, resume)
        return self.respond(self.run(run_id), before if seen < 0 else seen)

    def _answer(self, owner: Membership, row: Interrupt, resume: Resume) -> int:
        interactive = self.token is None
        try:
            return chat.answer_in_chat(owner, row, resume, interactive=interactive)
        except RequestRefused as refused:
            row.refresh_from_db()
            tell_decided(refused, lambda: interrupts_out([row], owner, interactive=interactive)[0])
            raise


class RunChatView(_ChatResponses):
    """A run as a conversation."""

    @extend_schema(responses=STREAMED, parameters=[LAST_SEEN], operation_id="run_chat")
    def get(self, request: Request, run_id: object) -> HttpResponseBase:
        """Return what the run says, from its beginning or from after `Last-Event-ID`."""
        return self.respond(self.run(run_id), self.last_seen(0))
