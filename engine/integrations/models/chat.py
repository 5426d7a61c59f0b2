"""What the engine says to a language model, and what it hears back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple, Protocol

from engine.core.node_types.conversation import Message, ToolCall, Usage
from engine.core.values.json import EMPTY, JsonObject

MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """A tool as a model sees it. `parameters` is a JSON Schema of type object."""

    name: str
    description: str
    parameters: JsonObject

    def to_json(self) -> JsonObject:
        return {"name": self.name, "description": self.description, "parameters": self.parameters}


class CallOrigin(NamedTuple):
    """In whose name a call is made (row S10); never part of the request's hash."""

    run_id: str
    graph_id: str
    node_id: str
    agent_id: str | None
    idempotency_key: str
    workspace_id: str | None = None
    context: JsonObject = EMPTY
    metadata: JsonObject = EMPTY


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One model call. `model` is `provider/name`; `schema` asks for one JSON object that fits it."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[ToolOffer, ...] = ()
    schema: JsonObject | None = None
    temperature: float | None = None
    max_output_tokens: int = 2048

    def to_json(self) -> JsonObject:
        """Return the request as recorded in the journal and hashed."""
        out: JsonObject = {
            "model": self.model,
            "messages": [message.to_json() for message in self.messages],
            "max_output_tokens": self.max_output_tokens,
        }
        if self.tools:
            out["tools"] = [tool.to_json() for tool in self.tools]
        if self.schema is not None:
            out["schema"] = self.schema
        if self.temperature is not None:
            out["temperature"] = self.temperature
        return out


@dataclass(frozen=True, slots=True)
class Price:
    """USD per 1,000,000 tokens, valid on `dated`.

    `cached_per_million` is for input that the provider had in its cache, None: as other input.
    """

    input_per_million: Decimal
    output_per_million: Decimal
    dated: date | None = None
    source: str = ""
    cached_per_million: Decimal | None = None

    def cost(self, usage: Usage) -> Decimal:
        """Return the USD that `usage` costs, exactly."""
        cached = min(usage.cached_tokens, usage.input_tokens)
        per_cached = self.cached_per_million
        return (
            self.input_per_million * (usage.input_tokens - cached)
            + (self.input_per_million if per_cached is None else per_cached) * cached
            + self.output_per_million * usage.output_tokens
        ) / MILLION


CUT = "length"
"""The `finish_reason` of an answer that ended at `max_output_tokens`, not by itself."""

FREE = Price(Decimal(0), Decimal(0))

BYTES_PER_TOKEN = 16
"""An answer that has more bytes than this for each token it may have was not cut at its cap."""
ANSWER_SLACK = 2048
"""Bytes that are let pass beyond that, for the few long tokens of short answers."""
WIRE_BYTES_PER_TOKEN = 1024
"""What a provider may wrap around one token of a stream."""
WIRE_SLACK = 65_536
MAX_WIRE_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class WireLimits:
    """Seconds that a call may take: to connect, until the answer begins, between two pieces of it,
    and altogether.
    """

    connect_s: float = 5.0
    first_byte_s: float = 300.0
    idle_s: float = 60.0
    total_s: float = 600.0


def most_answer_bytes(max_output_tokens: int) -> int:
    """Return how long an answer within its cap can be, in bytes of text and tool calls."""
    return max_output_tokens * BYTES_PER_TOKEN + ANSWER_SLACK


def most_wire_bytes(max_output_tokens: int) -> int:
    """Return how long such an answer can be as it is sent, in bytes."""
    return min(max_output_tokens * WIRE_BYTES_PER_TOKEN + WIRE_SLACK, MAX_WIRE_BYTES)


@dataclass(frozen=True, slots=True)
class ChatResponse:
    """A finished answer. `structured` is the provider's native JSON block where there was one."""

    text: str
    usage: Usage
    structured: Any = None
    tool_calls: tuple[ToolCall, ...] = ()
    model: str = ""
    finish_reason: str = "stop"

    def to_json(self) -> JsonObject:
        return {
            "text": self.text,
            "structured": self.structured,
            "tool_calls": [call.to_json() for call in self.tool_calls],
            "usage": self.usage.to_json(),
            "model": self.model,
            "finish_reason": self.finish_reason,
        }

    @classmethod
    def from_json(cls, data: JsonObject) -> ChatResponse:
        """Return the response that `to_json` recorded."""
        raw: Any = data
        return cls(
            text=raw["text"],
            usage=Usage.of(raw["usage"]),
            structured=raw["structured"],
            tool_calls=tuple(
                ToolCall(call["id"], call["name"], call["arguments"]) for call in raw["tool_calls"]
            ),
            model=raw["model"],
            finish_reason=raw["finish_reason"],
        )


OnDelta = Callable[[str], None]
"""Called with each piece of streamed text, on the engine's loop; must not block."""


class ChatModel(Protocol):
    """One reachable model behind one `provider/name`."""

    @property
    def native_schema(self) -> bool:
        """Whether `ChatRequest.schema` is enforced by the provider itself."""
        ...

    def price(self) -> Price | None:
        """Return today's price, None where it is not known."""
        ...

    def worst_case(self, request: ChatRequest, origin: CallOrigin) -> Usage:
        """Return an upper bound of what the call can use (see `worst_case_usage`)."""
        ...

    def complete(
        self, request: ChatRequest, origin: CallOrigin, on_delta: OnDelta | None
    ) -> Awaitable[ChatResponse]:
        """Make the call. Raises `ProviderError`; cancelling the awaiting task closes the connection.

        Where `on_delta` is a `Heard`, a model may `note` there how much has come.
        """
        ...


class Models(Protocol):
    """Finds the model behind a name. `agent_id` and `node_id` matter to scripted models only."""

    def resolve(
        self, model: str, *, agent_id: str | None, node_id: str, workspace_id: str | None
    ) -> Awaitable[ChatModel]:
        """Return the model. Raises `ProviderError(status=404)` for an unknown provider or name."""
        ...


def billed_as(model: ChatModel, request: ChatRequest) -> str:
    """Return under which name a call is counted: that of the model which a default led to."""
    return getattr(model, "billed_as", None) or request.model


def worst_case_usage(request: ChatRequest) -> Usage:
    """Return the most tokens a request can use: no token is shorter than one UTF-8 byte.

    Input: bytes of all text plus 16 a message for the provider's framing; tools and schema count
    by the bytes of their JSON. Output: the cap that is always sent.
    """
    from engine.core.values.json import canonical

    size = sum(
        len(m.content.encode()) + 16 + sum(len(canonical(c.to_json())) for c in m.tool_calls)
        for m in request.messages
    )
    size += sum(len(canonical(tool.to_json())) + 16 for tool in request.tools)
    if request.schema is not None:
        size += len(canonical(request.schema)) + 16
    return Usage(size, request.max_output_tokens)
