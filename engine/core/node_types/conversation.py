"""A conversation with a model as node code sees it: what may be asked for, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

from engine.core.values.json import JsonObject

Role = Literal["system", "user", "assistant", "tool"]

Check = Callable[[Any], None]
"""Judges a parsed answer; raises `NodeError` with the code of the rejection."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call a model asks for. `id` pairs it with its result message."""

    id: str
    name: str
    arguments: JsonObject

    def to_json(self) -> JsonObject:
        return {"id": self.id, "name": self.name, "arguments": self.arguments}


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. `tool_calls` only on assistant turns, `tool_call_id` only on tool turns."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    tool_name: str | None = None

    def to_json(self) -> JsonObject:
        out: JsonObject = {"role": self.role, "content": self.content}
        if self.tool_calls:
            out["tool_calls"] = [call.to_json() for call in self.tool_calls]
        if self.tool_call_id is not None:
            out["tool_call_id"] = self.tool_call_id
            out["tool_name"] = self.tool_name
        return out


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call as the provider counted them; `cached_tokens` are among the input."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    @property
    def total(self) -> int:
        return self.input_tokens + self.output_tokens

    @classmethod
    def told_in(cls, detail: JsonObject) -> Usage | None:
        """Return what a failed call used all the same, where the provider said so."""
        told: Any = detail.get("usage")
        return None if told is None else cls.of(told)

    @classmethod
    def of(cls, told: Mapping[str, int]) -> Usage:
        """Return the usage that `to_json` recorded."""
        return cls(told["input_tokens"], told["output_tokens"], told.get("cached_tokens", 0))

    def to_json(self) -> JsonObject:
        """Return it as it is recorded; what nothing was cached of is left out."""
        cached = {"cached_tokens": self.cached_tokens} if self.cached_tokens else {}
        return {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens, **cached}


@dataclass(frozen=True, slots=True)
class Conversation:
    """How a conversation ended. `output` is the JSON answer where a schema was asked for."""

    text: str
    output: Any
    tool_calls: tuple[ToolCall, ...]
    usage: Usage
    agent_id: str | None
    wrote: dict[str, Any] = field(default_factory=dict)
    cut: bool = False
    """Whether the answer ended at `max_output_tokens`, not by itself."""


class ReasonOptions(TypedDict, total=False):
    """What a conversation may be asked for beside agent and prompt; all of it may be left out."""

    schema: JsonObject | None
    """JSON Schema of the answer: `output` is then a value that it accepts."""
    tools: Sequence[str] | None
    """Names of tools on offer, `name`, `source/name` or `source/*`; None: the agent's own."""
    stream: bool
    """Whether the text is shown as it comes, by default True."""
    emit: bool
    """Whether the answer is a message to the user of the run."""
    system: str | None
    """The system prompt, in place of the agent's."""
    history: Sequence[Message]
    """What was said before the prompt."""
    temperature: float | None
    model: str | None
    """The model's name, in place of the agent's."""
    check: Check | None
    """Judges the answer; what it raises is told to the model, which answers again."""
    verify: Check | None
    """Judges the answer after `check`; what it raises fails the node without another turn."""
    interrupt: str | None
    """`required` or another text: whether the model must, or may, ask a person before it answers."""
    repair_turns: int
    """How often the model may answer again, by default once."""
    beside: Sequence[str]
    """Keys that may stand in the answer although the schema does not name them."""
    described: Mapping[str, object]
    """Recorded with every call of the conversation (JSON)."""
    recall: bool
    """Whether the facts of the node's `memory_query` stand in the prompt, by default True."""
