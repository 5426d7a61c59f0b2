"""`/v1`: the workflows that are offered as chat models, for clients of OpenAI's API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import orjson
from django.http import JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.authentication import BearerAuthentication
from builder.api.http.view import ApiView
from builder.base.errors import NotFound
from builder.doors.called.offers import Offered, offered
from builder.doors.called.openai.answers import error_body, named
from builder.doors.called.openai.request import Completion, Unserved, read
from builder.doors.called.openai.stream import Answering, pieces, whole
from builder.doors.called.tokens import is_good
from builder.models import Graph, Membership
from builder.services.runs.chat import Chat, start_chat


class OpenAiView(ApiView):
    """A route whose refusals are in OpenAI's form. Only tokens count here, no session."""

    authentication_classes = (BearerAuthentication,)
    query_names: ClassVar[frozenset[str]] = frozenset({"after", "limit", "order"})

    def handle_exception(self, exc: Exception) -> Response:
        """Return a refusal as OpenAI's clients read it."""
        if isinstance(exc, Unserved):
            body = error_body(400, "unsupported_value", exc.message, exc.param or None)
            return Response(body, status=400)
        answer: Response = super().handle_exception(exc)
        told = answer.data or {}
        problems = told.get("problems") or [{}]
        answer.data = error_body(
            answer.status_code,
            str(told.get("code", "")),
            str(told.get("detail", "")),
            problems[0].get("path") or None,
        )
        answer.content_type = None
        return answer

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        """Return the answer, which nothing on the way may keep."""
        answer = super().finalize_response(*args, **kwargs)
        answer.headers.setdefault("Cache-Control", "no-store")
        return answer

    def offered(self) -> list[Offered]:
        """Return the workflows that the caller finds here."""
        assert self.token is not None
        return offered(self.member().workspace_id, self.token, chat=True)


class OpenAiModelsView(OpenAiView):
    """The models."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        """List the workflows that are offered as chat models."""
        member = self.member()
        return Response({"object": "list", "data": [_model(one, member) for one in self.offered()]})


class OpenAiModelView(OpenAiView):
    """One model."""

    @extend_schema(exclude=True)
    def get(self, request: Request, model: str) -> Response:
        """Return it."""
        member = self.member()
        found = next((one for one in self.offered() if one.graph.slug == model), None)
        if found is None:
            raise _no_model(model)
        return Response(_model(found, member))


class OpenAiChatView(OpenAiView):
    """Completions: each is a run."""

    @extend_schema(exclude=True)
    def post(self, request: Request) -> HttpResponseBase:
        """Start the run that answers the newest user message, and tell what it says."""
        member = self.member()
        asked = read(self.request.data)
        run_id = start_chat(member, self._graphs(asked), self._chat(asked))
        answering = Answering(
            named(run_id, asked.model), member, self._allowed(member), asked.with_usage
        )
        answer: HttpResponseBase
        if asked.stream:
            answer = StreamingHttpResponse(_Pieces(answering), content_type="text/event-stream")
            answer["X-Accel-Buffering"] = "no"
        else:
            answer = WholeAnswer(answering)
        answer["X-Run-Id"] = run_id
        return answer

    def _graphs(self, asked: Completion) -> Any:
        known = [one.graph.pk for one in self.offered() if one.graph.slug == asked.model]
        if not known:
            raise _no_model(asked.model)
        return self.visible(Graph.objects.filter(pk__in=known))

    def _chat(self, asked: Completion) -> Chat:
        key = self.idempotency_key()
        return Chat(asked.said, graph_id=asked.model, key=key, source="openai")

    def _allowed(self, member: Membership) -> Any:
        token = self.token
        assert token is not None

        def still_allowed() -> bool:
            return is_good(token.pk) and Membership.objects.filter(pk=member.pk).exists()

        return still_allowed


class WholeAnswer(JsonResponse):
    """One answer; what it holds is waited for by `settle`, on the loop."""

    def __init__(self, answering: Answering) -> None:
        super().__init__({})
        self._answering = answering

    async def settle(self) -> None:
        """Wait for the run, and take over what came of it."""
        self.status_code, body = await whole(self._answering)
        self.content = orjson.dumps(body)
        self.headers["Content-Length"] = str(len(self.content))


class _Pieces:
    """What a streamed answer is read from."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering

    def __aiter__(self) -> AsyncIterator[bytes]:
        return pieces(self._answering)


def _model(one: Offered, member: Membership) -> dict[str, Any]:
    at = one.version.published_at
    return {
        "id": one.graph.slug,
        "object": "model",
        "created": int(at.timestamp()) if at else 0,
        "owned_by": member.workspace.slug,
    }


def _no_model(model: str) -> NotFound:
    message = (
        f"there is no model {model[:80]!r}: offer a workflow as a chat model on its page Use it"
    )
    return NotFound(message, code="model_not_found")
