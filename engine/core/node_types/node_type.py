"""What a node type is: one class, one file, registered by being there.

    class Shout(NodeType):
        \"\"\"Say the input louder. (This docstring is the palette's help text.)\"\"\"

        type = "shout"
        label = "Shout"
        icon = "speakerphone"
        category = "Text"
        effect_class = EffectClass.PURE

        class Config(NodeConfig):
            marks: int = Field(1, ge=1, description="How many exclamation marks.")

        async def run(self, ctx: NodeContext, config: Config) -> NodeResult:
            return NodeResult(output=f"{ctx.view.input}{'!' * config.marks}")

Everything a node does to the world goes through `ctx` (`engine.core.node_types.context.NodeContext`).
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict

from engine.core.effects import EffectClass
from engine.core.errors import NodeError
from engine.core.node_types.run_views import RunView
from engine.core.values.json import FrozenDict, InvalidJson, freeze

if TYPE_CHECKING:
    from engine.core.node_types.context import NodeContext


class NodeConfig(BaseModel):
    """Base of every node type's config: unknown fields are refused, values cannot change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class _Unset:
    """Marks an output that was not given (None is a value)."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = _Unset()


UI_FIELDS = frozenset({"message", "structured"})
"""What `NodeResult.ui` may hold."""


@dataclass(slots=True)
class NodeResult:
    """What an execution leaves behind. Every field is optional.

    `data` is merged into memory through the write gate; `output` is kept as the node's result
    (default: `data`); `condition` and `intent` are routing tokens; `next` names targets
    explicitly; `ui` has `message` and `structured`; `infra` is recorded, only `infra.runtime`
    has an effect.
    """

    data: Mapping[str, Any] | None = None
    output: Any = UNSET
    condition: str | None = None
    intent: str | None = None
    next: list[str] | None = None
    transition_to: str | None = None
    metadata: Mapping[str, Any] | None = None
    ui: Mapping[str, Any] | None = None
    infra: Mapping[str, Any] | None = None

    FIELDS: ClassVar[frozenset[str]] = frozenset(
        {
            "data",
            "output",
            "condition",
            "intent",
            "next",
            "transition_to",
            "metadata",
            "ui",
            "infra",
        }
    )

    @classmethod
    def of(cls, value: object) -> NodeResult:
        """Return what node code returned as a result, checked field by field and frozen.

        None is the empty result, a mapping holds fields, anything else is the output. Raises
        `NodeError` `NodeResultInvalid`, which names the field.
        """
        if value is None:
            return cls()
        if isinstance(value, cls):
            result = value
        elif isinstance(value, Mapping):
            if unknown := value.keys() - cls.FIELDS:
                names = sorted(map(str, unknown))
                raise _invalid(f"unknown fields {names}; known are {sorted(cls.FIELDS)}")
            result = cls(**value)
        else:
            result = cls(output=value)
        return result._checked()

    def _checked(self) -> NodeResult:
        if self.next is not None and (
            not isinstance(self.next, (list, tuple))
            or not all(isinstance(n, str) for n in self.next)
        ):
            raise _invalid("`next` must be a list of node ids")
        try:
            # most results have a field or two: what is absent costs no call
            result = NodeResult(
                None if self.data is None else _object("data", self.data),
                self.output if self.output is UNSET else freeze(self.output, "output"),
                None if self.condition is None else _text("condition", self.condition),
                None if self.intent is None else _text("intent", self.intent),
                list(self.next) if self.next else None,
                None if self.transition_to is None else _text("transition_to", self.transition_to),
                None if self.metadata is None else _object("metadata", self.metadata),
                None if self.ui is None else _object("ui", self.ui),
                None if self.infra is None else _object("infra", self.infra),
            )
            if result.ui:
                _check_ui(result.ui)
            if result.infra:
                _object("infra.runtime", result.infra.get("runtime"))
        except InvalidJson as error:
            raise _invalid(str(error)) from error
        return result


def _check_ui(ui: Mapping[str, Any]) -> None:
    unknown = sorted(str(name) for name in ui if name not in UI_FIELDS)
    if unknown:
        raise _invalid(f"unknown fields {unknown} in `ui`; known are {sorted(UI_FIELDS)}")
    _text("ui.message", ui.get("message"))
    _object("ui.structured", ui.get("structured"))


def _object(name: str, value: object) -> Any:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise _invalid(f"`{name}` must be an object, not {type(value).__name__}")
    return freeze(value, name)


def _text(name: str, value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise _invalid(f"`{name}` must be text, not {type(value).__name__}")


def _invalid(message: str) -> NodeError:
    return NodeError("NodeResultInvalid", message)


ANY_BRANCH = "*"


@dataclass(frozen=True, slots=True)
class Handle:
    """A named way out of a node on the canvas.

    `on` is the edge group, `when` the token that edges from here wait for; `ANY_BRANCH` stands for
    whatever token the author names.
    """

    id: str
    label: str
    on: str = "completed"
    when: str | None = None


COMPLETED = Handle("completed", "done")
FAILED = Handle("failed", "failed", on="failed")


@dataclass(frozen=True, slots=True)
class NodeDefaults:
    """What the palette pre-fills, so that a new node works when dropped."""

    read_keys: tuple[str, ...] = ("input",)
    write_keys: tuple[str, ...] = ()
    config: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a negative verdict of a node leaves behind: what check tries the edges on.

    `fails` means that the node fails instead, so that nothing of its `completed` group is taken.
    """

    memory: Mapping[str, Any] = field(default_factory=dict)
    output: Any = None
    condition: str | None = None
    fails: bool = False


CALLED = frozenset({"tool", "handler", "agent", "graph"})
"""Widgets of fields that name what a node calls."""


@dataclass(frozen=True, slots=True)
class Undo:
    """The call that undoes a node. `name` is what people are shown: a tool, function or address.

    `request` is all that `NodeType.undo` needs later, also in the run around a child run.
    """

    name: str
    request: FrozenDict


class NodeType:
    """Base of all node types; instances are stateless and shared.

    Class attributes: `type` (the document's name), `label`, `icon` (Tabler name), `category`,
    `words` (what people type who look for it and do not know its label), `rank` (its place among
    the types on offer: low is what most workflows take first),
    `effect_class` (PURE types are evaluated in batches and must not touch `ctx` beyond the view),
    `handles`, `defaults`, `result_keys` (memory keys written without declaration; `{id}` stands
    for the node's id), `prompts` (whether `memory_query` has an effect), `writes_data` (whether it
    writes memory keys of the author's), `always_reads` (lanes it may read without a grant),
    `remembers` (whether it writes facts, so that its runs need a memory store), `asks_people`
    (whether what it gives is a person's answer, which nothing may stand in for), `views` (what the
    run view shows that is special to it: `engine.core.node_types.run_views`), `chooses` (whether its result may say
    where the run goes on: check proves nothing about the edges of a type that does), `foretold`
    (whether `run` only computes from what it reads before its first call of `ctx`, so that people
    can be told what that call will be before it is made), `reads_named` (whether it reads only what
    its config names, and all it may where a prompt is left out: the editor then says which read keys
    no field uses).
    """

    type: ClassVar[str]
    label: ClassVar[str]
    icon: ClassVar[str] = "box"
    category: ClassVar[str] = "Other"
    words: ClassVar[tuple[str, ...]] = ()
    rank: ClassVar[int] = 100
    effect_class: ClassVar[EffectClass] = EffectClass.READ
    handles: ClassVar[tuple[Handle, ...]] = (COMPLETED, FAILED)
    defaults: ClassVar[NodeDefaults] = NodeDefaults()
    result_keys: ClassVar[tuple[str, ...]] = ()
    prompts: ClassVar[bool] = False
    writes_data: ClassVar[bool] = True
    always_reads: ClassVar[tuple[str, ...]] = ()
    remembers: ClassVar[bool] = False
    asks_people: ClassVar[bool] = False
    chooses: ClassVar[bool] = True
    foretold: ClassVar[bool] = False
    reads_named: ClassVar[bool] = False
    views: ClassVar[tuple[RunView, ...]] = ()
    version: ClassVar[str] = "1"

    Config: ClassVar[builtins.type[NodeConfig]] = NodeConfig

    async def run(self, ctx: NodeContext, config: Any) -> NodeResult | Mapping[str, Any] | Any:
        """Execute once. May be entered again after a pause or crash: see `engine.core.node_types.context`."""
        raise NotImplementedError(f"{type(self).__name__} does not define run()")

    def effect_of(self, config: Any) -> EffectClass:
        """Return the effect class of this node with this config (default: the type's)."""
        return self.effect_class

    def verdict_of(self, node_id: str, config: Any) -> Refusal | None:
        """Return what a negative verdict leaves; None for a type that judges nothing."""
        return None

    def granted_reads(self, config: Any) -> tuple[str, ...]:
        """Return the memory keys that the config lets this node read by naming them (row C15)."""
        return ()

    def target_of(self, config: Any) -> str:
        """Return what a circuit breaker of the node guards (row C28): what its config calls first.

        That is a tool, function, agent or graph; without one the type itself.
        """
        for name, info in type(config).model_fields.items():
            extra = info.json_schema_extra
            widget = extra.get("x-widget") if isinstance(extra, dict) else None
            value = getattr(config, name)
            if widget in CALLED and isinstance(value, str):
                return value
        return self.type

    def undo_of(self, config: Any, scope: Mapping[str, Any]) -> Undo | None:
        """Return the call that undoes this node with this config, rendered over `scope` now.

        The scope is what the node could read, with its result keys and its output. None where
        the type has no undo (check: `CompensationMissing`).
        """
        return None

    async def undo(self, ctx: NodeContext, request: FrozenDict) -> Any:
        """Make the call of `undo_of` and return what it gave. May be entered again after a crash."""
        raise NotImplementedError(f"{type(self).__name__} does not define undo()")

    def message_of(self, config: Any, names: Mapping[str, Any]) -> str | None:
        """Return what a reviewer is told, over the names that an approval's message may use.

        None for a type that asks for no approval of its own. Raises `NodeError` for what is missing.
        """
        return None

    def risk_of(self, config: Any, names: Mapping[str, Any]) -> float | None:
        """Return how risky a reviewed step is, from 0 to 100, over the same names; None: unsaid."""
        return None

    def own_keys(self, node_id: str, config: Any) -> tuple[str, ...]:
        """Return the memory keys this node may write without declaring them (row C8)."""
        return tuple(key.replace("{id}", node_id) for key in self.result_keys)
