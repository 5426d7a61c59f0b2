"""Scripted models: every reply is written down beforehand. For tests and demonstrations.

They stand in for every model, whatever its name. Which list answers a call: the node's, else the
agent's, else the default. Usage that a reply does not state is counted at one token for each
started 4 characters, of all message contents on the input side and of the answer on the other.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from engine.core.errors import Cancelled, ProviderError
from engine.core.node_types.conversation import ToolCall, Usage
from engine.core.values.json import canonical
from engine.integrations.models.chat import CallOrigin, ChatRequest, ChatResponse, OnDelta, Price
from engine.integrations.models.heard import Heard
from engine.scripted.script import ModelReply, Replies, Script

Sleep = Callable[[float], Awaitable[None]]
MAX_PIECES = 20
CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One call as it arrived. `reply` names the list and the place that answered it."""

    request: ChatRequest
    origin: CallOrigin
    reply: str


class ScriptedModels:
    """The models of one script. `calls` records every call in the order they were made.

    `native_schema` False stands for a provider without structured output: `json` replies arrive
    as text only. `sleep` lets a virtual clock pass the delays.
    """

    def __init__(
        self, script: Script, *, sleep: Sleep = asyncio.sleep, native_schema: bool = True
    ) -> None:
        self.script = script
        self.calls: list[RecordedCall] = []
        self.sleep = sleep
        self.native_schema = native_schema
        self._nodes = {
            name: self._queue(f"nodes.{name}", replies) for name, replies in script.nodes.items()
        }
        self._agents = {
            name: self._queue(f"agents.{name}", replies) for name, replies in script.agents.items()
        }
        self._default = self._queue("default", script.default)

    def _queue(self, name: str, replies: tuple[ModelReply, ...]) -> Replies[ModelReply]:
        return Replies(replies, name, repeat_last=self.script.repeat_last)

    async def resolve(
        self, model: str, *, agent_id: str | None, node_id: str, workspace_id: str | None = None
    ) -> ScriptedModel:
        """Return the model that answers for this node and agent; `model` only names it."""
        queue = self._nodes.get(node_id)
        if queue is None and agent_id is not None:
            queue = self._agents.get(agent_id)
        return ScriptedModel(model, self, queue or self._default)


class ScriptedModel:
    """One list of replies behind a model name."""

    def __init__(self, name: str, models: ScriptedModels, replies: Replies[ModelReply]) -> None:
        self.name = name
        self._models = models
        self._replies = replies

    @property
    def native_schema(self) -> bool:
        """Whether `json` replies arrive as a structured block."""
        return self._models.native_schema

    def price(self) -> Price:
        """Return the script's price (zero where it states none)."""
        return self._models.script.price()

    def worst_case(self, request: ChatRequest, origin: CallOrigin) -> Usage:
        """Return exactly what the next reply uses; nothing when none is left."""
        reply = self._replies.peek()
        return Usage() if reply is None else _usage(reply, request)

    def complete(
        self, request: ChatRequest, origin: CallOrigin, on_delta: OnDelta | None
    ) -> Awaitable[ChatResponse]:
        """Take the next reply now and return what delivers it.

        Raises `NodeError` `ScriptExhausted` (here, before anything is awaited) and, when awaited,
        the reply's `ProviderError`; usage stated beside an error stands in its detail.
        """
        place = f"{self._replies.name}[{self._replies.taken}]"
        self._models.calls.append(RecordedCall(request, origin, place))
        reply = self._replies.take()
        return self._deliver(reply, request, on_delta, self._replies.taken)

    async def _deliver(
        self, reply: ModelReply, request: ChatRequest, on_delta: OnDelta | None, number: int
    ) -> ChatResponse:
        text = _text(reply, request)
        await self._stream(text, reply.delay_ms / 1000, on_delta)
        if reply.error is not None:
            raise _provider_error(reply)
        calls = tuple(
            ToolCall(call.id or f"call_{number}_{i}", call.name, call.arguments)
            for i, call in enumerate(reply.tool_calls)
        )
        structured = "json_" in reply.model_fields_set and self.native_schema
        return ChatResponse(
            text=text,
            usage=_usage(reply, request),
            structured=reply.json_ if structured else None,
            tool_calls=calls,
            model=request.model,
            finish_reason="tool_calls" if calls else "stop",
        )

    async def _stream(self, text: str, delay_s: float, on_delta: OnDelta | None) -> None:
        if delay_s <= 0:
            return
        pieces = _pieces(text) if on_delta is not None else []
        for piece in pieces:
            await self._models.sleep(delay_s / len(pieces))
            if isinstance(on_delta, Heard) and not on_delta.note(len(piece.encode())):
                raise Cancelled
            if on_delta is not None:
                on_delta(piece)
        if not pieces:
            await self._models.sleep(delay_s)


def _text(reply: ModelReply, request: ChatRequest) -> str:
    if reply.echo:
        readable = "\n\n".join(message.content for message in request.messages)
        return f"{readable}\n\n{canonical(request.to_json()).decode()}"
    if "json_" in reply.model_fields_set:
        return canonical(reply.json_).decode()
    return reply.text or ""


def _usage(reply: ModelReply, request: ChatRequest) -> Usage:
    if reply.usage is not None:
        return Usage(reply.usage.input_tokens, reply.usage.output_tokens)
    if reply.error is not None:
        return Usage()
    size_in = sum(len(message.content) for message in request.messages)
    answer = _text(reply, request) + "".join(
        call.name + canonical(call.arguments).decode() for call in reply.tool_calls
    )
    return Usage(_tokens(size_in), _tokens(len(answer)))


def _tokens(characters: int) -> int:
    return -(-characters // CHARS_PER_TOKEN)


def _provider_error(reply: ModelReply) -> ProviderError:
    assert reply.error is not None
    error = ProviderError(
        reply.error.message,
        status=reply.error.status,
        retry_after_ms=reply.error.retry_after_ms,
    )
    if reply.usage is not None:
        error.detail["usage"] = reply.usage.model_dump()
    return error


def _pieces(text: str) -> list[str]:
    words = re.findall(r"\s*\S+|\s+$", text)
    step = max(1, -(-len(words) // MAX_PIECES))
    return ["".join(words[i : i + step]) for i in range(0, len(words), step)]
