"""The script of `--script FILE`: replies for models, tools and functions, in order.

The format is section 3 of docs/DOCUMENT.md. Parsing refuses unknown keys and reports every
problem at once, each with its path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Generic, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    Tag,
    ValidationError,
    model_validator,
)

from engine.core.effects import EffectClass
from engine.core.errors import EngineError, NodeError
from engine.core.graph.problems import Problem, problems_of
from engine.core.values.json import JsonObject
from engine.integrations.models.chat import Price

MAX_DELAY_MS = 3_600_000
DelayMs = Annotated[int, Field(ge=0, le=MAX_DELAY_MS)]


FLAGS = frozenset({"echo", "view", "count_visits"})


class ScriptInvalid(EngineError):
    """The script cannot be used. `problems` are `{path, code, message, severity}`."""

    code = "ScriptInvalid"

    def __init__(self, problems: list[JsonObject]) -> None:
        first = problems[0]
        super().__init__(
            f"the script has {len(problems)} problems; first: {first['path']}: {first['message']}"
        )
        self.problems = problems


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    def given(self, *names: str) -> list[str]:
        """Return those of `names` that the author wrote; a flag counts when it is true."""
        return [
            name
            for name in names
            if name in self.model_fields_set and (name not in FLAGS or getattr(self, name))
        ]


class ScriptedUsage(_Part):
    """Tokens that a reply claims to have used."""

    input_tokens: int = Field(0, ge=0)
    output_tokens: int = Field(0, ge=0)


class ScriptedError(_Part):
    """A failure. `status` None is a broken connection."""

    message: str = "scripted error"
    status: int | None = Field(None, ge=100, le=599)
    retry_after_ms: int | None = Field(None, ge=0)


class ScriptedToolCall(_Part):
    """One tool call a reply asks for. Without `id` the model numbers its calls."""

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    id: str | None = None


class ModelReply(_Part):
    """One answer of a scripted model; `text` may stand beside `tool_calls`."""

    text: str | None = None
    json_: Any = Field(None, alias="json")
    tool_calls: tuple[ScriptedToolCall, ...] = ()
    error: ScriptedError | None = None
    echo: StrictBool = False
    delay_ms: DelayMs = 0
    usage: ScriptedUsage | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> ModelReply:
        kinds = self.given("text", "json_", "tool_calls", "error", "echo")
        if len(kinds) != 1 and sorted(kinds) != ["text", "tool_calls"]:
            raise ValueError("one of text, json, tool_calls, error, echo")
        return self


class ToolReply(_Part):
    """One answer of a scripted tool."""

    result: Any = None
    error: ScriptedError | None = None
    echo: StrictBool = False
    delay_ms: DelayMs = 0
    effect_class: EffectClass | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> ToolReply:
        if len(self.given("result", "error", "echo")) != 1:
            raise ValueError("one of result, error, echo")
        return self


class FunctionError(_Part):
    """The failure of a scripted handler."""

    message: str


class FunctionReply(_Part):
    """What a scripted handler does at one call."""

    returns: Any = None
    error: FunctionError | None = None
    view: StrictBool = False
    count_visits: StrictBool = False

    @model_validator(mode="after")
    def _one_kind(self) -> FunctionReply:
        if len(self.given("returns", "error", "view", "count_visits")) != 1:
            raise ValueError("one of returns, error, view, count_visits")
        return self


def _one_or_list(value: object) -> str:
    return "list" if isinstance(value, (list, tuple)) else "one"


FunctionScript = Annotated[
    Annotated[FunctionReply, Tag("one")] | Annotated[tuple[FunctionReply, ...], Tag("list")],
    Discriminator(_one_or_list),
]
"""One reply for every call, or a list of replies, one a call."""


class ScriptedPrices(_Part):
    """USD per 1,000,000 tokens of every scripted model."""

    input_per_million: Decimal = Field(default=Decimal(0), ge=0, allow_inf_nan=False)
    output_per_million: Decimal = Field(default=Decimal(0), ge=0, allow_inf_nan=False)


class Script(_Part):
    """A whole script. Lists are consumed in order, one entry a call."""

    nodes: dict[str, tuple[ModelReply, ...]] = Field(default_factory=dict)
    agents: dict[str, tuple[ModelReply, ...]] = Field(default_factory=dict)
    default: tuple[ModelReply, ...] = ()
    repeat_last: StrictBool = False
    prices: ScriptedPrices = Field(default_factory=ScriptedPrices)
    tools: dict[str, tuple[ToolReply, ...]] = Field(default_factory=dict)
    functions: dict[str, FunctionScript] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _effect_class_first(self) -> Script:
        for name, replies in self.tools.items():
            if any(reply.effect_class is not None for reply in replies[1:]):
                raise ValueError(f"tools.{name}: effect_class belongs on the first entry")
        return self

    @classmethod
    def parse(cls, data: Mapping[str, Any] | None) -> Script:
        """Return the script written as `data`. Raises `ScriptInvalid` with all problems."""
        try:
            return cls.model_validate({} if data is None else data)
        except ValidationError as error:
            found = problems_of(error, cls, {} if data is None else data)
            raise ScriptInvalid([_shown(problem) for problem in found]) from error

    def price(self) -> Price:
        """Return the price of every scripted model."""
        return Price(self.prices.input_per_million, self.prices.output_per_million, source="script")

    def tool_effect_class(self, name: str) -> EffectClass:
        """Return the effect class of the scripted tool `name` (default `read`)."""
        replies = self.tools[name]
        return (replies[0].effect_class if replies else None) or EffectClass.READ

    def function_replies(self, name: str) -> Replies[FunctionReply]:
        """Return the queue of the handler `name`; a single entry answers every call."""
        entry = self.functions[name]
        single = isinstance(entry, FunctionReply)
        entries = (entry,) if isinstance(entry, FunctionReply) else entry
        return Replies(entries, f"functions.{name}", repeat_last=single or self.repeat_last)

    def tool_replies(self, name: str) -> Replies[ToolReply]:
        """Return the queue of the scripted tool `name`."""
        return Replies(self.tools[name], f"tools.{name}", repeat_last=self.repeat_last)


Entry = TypeVar("Entry")


class Replies(Generic[Entry]):
    """A list of replies with a place in it. Taking is synchronous, so order is call order."""

    def __init__(self, entries: Sequence[Entry], name: str, *, repeat_last: bool) -> None:
        self.name = name
        self.taken = 0
        self._entries = tuple(entries)
        self._repeat_last = repeat_last

    def peek(self) -> Entry | None:
        """Return what `take` would give, None where it would fail."""
        if self.taken < len(self._entries):
            return self._entries[self.taken]
        if self._repeat_last and self._entries:
            return self._entries[-1]
        return None

    def take(self) -> Entry:
        """Return the next reply. Raises `NodeError` `ScriptExhausted` when none is left."""
        reply = self.peek()
        if reply is None:
            raise NodeError(
                "ScriptExhausted",
                f"the script has no reply left in {self.name!r} (it had {len(self._entries)})",
                detail={"list": self.name, "replies": len(self._entries)},
            )
        self.taken += 1
        return reply


def _shown(problem: Problem) -> JsonObject:
    return {**problem.to_json(), "path": problem.path or "script"}
