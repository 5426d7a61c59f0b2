"""What a tool is to the engine: a name, a schema, an effect class, and a call."""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeAlias
from urllib.parse import urlsplit

from engine.core.effects import EffectClass
from engine.core.values.json import JsonObject, digest
from engine.integrations.models.chat import CallOrigin

RESERVED_TOOL_NAMES = frozenset(
    {
        "set_context",
        "transition_to",
        "skip_node",
        "continue_process",
        "retry_node",
        "fail_process",
    }
)
"""Control tools that no agent is ever offered (row V11)."""


SourceKind: TypeAlias = Literal["function", "program", "mcp", "api"]
"""What offers a tool: code that is installed, a program beside it, an MCP server, a service's API."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool's definition. `name` is what models and documents call it; `source` who offers it.

    `kind` says what that is. `declared` is the source's own effect class where a person set `effect_class`. `place` is where
    it is called, if that can be changed beside the definition.
    """

    name: str
    description: str
    parameters: JsonObject
    effect_class: EffectClass = EffectClass.UNSAFE
    source: str = "python"
    declared: EffectClass | None = None
    place: str = field(default="", repr=False)
    kind: SourceKind = "function"
    package: str = field(default="", repr=False)
    """The installed package that a function comes from, with its version; empty for others."""

    def under(self, effect: EffectClass | None) -> ToolSpec:
        """Return it under the effect class that a person set; None is what its source says."""
        if effect is None:
            return self
        return replace(self, effect_class=effect, declared=self.declared or self.effect_class)

    @property
    def full_name(self) -> str:
        """`source/name`: what the definition is accepted under, whatever else is installed."""
        return f"{self.source}/{self.name}"

    @property
    def host_name(self) -> str:
        """Return the host, with a port that is named, of where it is called; empty where nobody knows."""
        return urlsplit(self.place).netloc.rpartition("@")[2]

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which documents may mean it, the fullest first."""
        bare = self.name.removeprefix(f"{self.source}__")
        return tuple(dict.fromkeys((f"{self.source}/{bare}", self.name, bare)))

    @property
    def definition(self) -> JsonObject:
        """What a person agrees to: as the source says it, whatever a person set beside it."""
        return {
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
            "effect_class": (self.declared or self.effect_class).value,
        }

    @property
    def hash(self) -> str:
        """A change of this means that the definition changed and must be accepted again."""
        return digest(self.definition)

    @property
    def binding(self) -> str:
        """What the approval of a call holds for: the definition, and what is set beside it.

        A call that was approved goes to no other place, and is not repeated where nobody approved that.
        """
        if not self.place and self.declared is None:
            return self.hash
        return digest([self.hash, self.place, self.effect_class.value])


class Tool(Protocol):
    """One callable tool."""

    @property
    def spec(self) -> ToolSpec: ...

    def call(self, arguments: JsonObject, origin: CallOrigin) -> Awaitable[Any]:
        """Return the result as JSON. Raises `ToolFailed`; `NodeError` for what cannot heal."""
        ...


class Tools(Protocol):
    """The tools one workspace may use: Python functions, MCP sources, the script's."""

    def find(self, name: str, *, workspace_id: str | None) -> Awaitable[Tool | None]:
        """Return the tool called `name` or `source/name`; None if there is none."""
        ...

    def expand(
        self, pattern: str, *, workspace_id: str | None
    ) -> Coroutine[Any, Any, list[ToolSpec]]:
        """Return what `name`, `source/name` or `source/*` stands for; empty if nothing."""
        ...
