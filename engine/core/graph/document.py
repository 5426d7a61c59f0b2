"""The graph document: its fields, their ranges and defaults, and how it is read and written.

A document is YAML or JSON; `docs/DOCUMENT.md` describes it. `GraphSpec` is the checked form: it
cannot change and may be shared by all runs. A node's `config` stays a plain JSON object here, its
node type validates it (`engine.check`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Final, Literal, TypeAlias

import orjson
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, model_validator

from engine.core.graph.call_asks import CallAsks
from engine.core.graph.fields import (
    END,
    START,
    Id,
    JsonMap,
    Key,
    Milliseconds,
    Money,
    Source,
    Target,
)
from engine.core.graph.ids import duplicates, with_ids
from engine.core.graph.problems import Problem, has_errors, problems_of, refusal, too_much
from engine.core.values.effort import TooMuchWork, bounded
from engine.core.values.json import InvalidJson, digest, freeze
from engine.core.values.limits import (
    MAX_GRAPH_EDGES,
    MAX_GRAPH_NODES,
    MAX_IMPORT,
    UnreadableInput,
    parse_yaml,
)

__all__ = ["END", "START", "GraphSpec", "Problem", "dump_document", "has_errors", "parse_document"]

FORMAT: Final = 1
NO_DOCUMENT: Final = (
    "This is no workflow. One is an object with a name, nodes and edges, as an export gives it."
)
Merge: TypeAlias = Literal["deep", "replace"]
EdgeGroup: TypeAlias = Literal["completed", "failed", "rejected", "timed_out"]
Branching: TypeAlias = Literal["first", "all"]


class Spec(BaseModel):
    """Base of the document's parts: unknown fields are refused, values cannot change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Position(Spec):
    """A place on the canvas, in pixels."""

    x: float = 0
    y: float = 0


class Size(Spec):
    """An extent on the canvas, in pixels."""

    width: float = Field(default=200, ge=0)
    height: float = Field(default=100, ge=0)


class Note(Spec):
    """A sticky note or a frame; without effect on runs."""

    id: str = Field(min_length=1, max_length=128)
    kind: Literal["note", "frame"] = "note"
    text: str = ""
    position: Position = Position()
    size: Size | None = None
    color: str | None = None


class Permissions(Spec):
    """An agent's ceiling per side: None is no limit, `*` leaves the side to the node."""

    read_keys: tuple[Key, ...] | None = None
    write_keys: tuple[Key, ...] | None = None


class AgentSpec(Spec):
    """A named model configuration. `model` is `provider/name`; temperature None is its own.

    `ask` says by tool which of its calls people decide on before they are sent.
    """

    id: Id
    model: str = Field(default="local/default", min_length=1)
    system_prompt: str = ""
    temperature: float | None = Field(default=None, ge=0, le=2)
    max_output_tokens: int = Field(default=2048, ge=1, le=1_000_000)
    tools: tuple[str, ...] = ()
    permissions: Permissions | None = None
    ask: CallAsks = {}


class CircuitBreakerPolicy(Spec):
    """When a node stops trying for a while. `timeout_ms`: from opening to the first probe."""

    enabled: bool = False
    failure_threshold: int = Field(default=5, ge=1, le=1_000)
    success_threshold: int = Field(default=2, ge=1, le=1_000)
    timeout_ms: Milliseconds = 60_000


class FailurePolicy(Spec):
    """What follows a failed attempt. Attempts in all: `max_retries` + 1; `timeout_ms` is for one."""

    max_retries: int = Field(default=3, ge=0, le=10)
    backoff_strategy: Literal["exponential", "linear", "fixed"] = "exponential"
    initial_backoff_ms: Milliseconds = 1_000
    max_backoff_ms: Milliseconds = 60_000
    timeout_ms: Annotated[int, Field(ge=1, le=366 * 86_400_000)] | None = None
    circuit_breaker: CircuitBreakerPolicy = CircuitBreakerPolicy()


class NodeBudget(Spec):
    """Caps of one execution of a node, all attempts and children together. None is no cap."""

    max_tokens: int | None = Field(default=None, ge=0)
    max_cost_usd: Money | None = None
    on_breach: Literal["fail", "ask", "fallback"] = "fail"
    shrink_output: bool = False
    fallback_agent_id: Id | None = None

    @model_validator(mode="after")
    def _fallback_is_named(self) -> NodeBudget:
        if self.on_breach == "fallback" and self.fallback_agent_id is None:
            raise refusal(
                "MissingField",
                '"on_breach: fallback" needs "fallback_agent_id", the agent to fall back to.',
                field="fallback_agent_id",
            )
        return self


class MemoryQuery(Spec):
    """Which facts to put before a prompt; with nothing set the goal is the query."""

    text: str = ""
    entity_ids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    max_facts: int = Field(default=5, ge=1, le=100)


class NodeSpec(Spec):
    """One node. None in `read_keys`, `write_keys` and `merge` means the graph's defaults.

    `branching` says which of its conditional edges are taken: the first that holds, or all that do.
    """

    id: Id
    type: str = Field(min_length=1, max_length=128)
    label: str = ""
    description: str = ""
    human_description: str = ""
    read_keys: tuple[Key, ...] | None = None
    write_keys: tuple[Key, ...] | None = None
    config: JsonMap = Field(default_factory=lambda: freeze({}))
    failure_policy: FailurePolicy = FailurePolicy()
    budget: NodeBudget | None = None
    memory_query: MemoryQuery | None = None
    requires_compensation: bool = False
    merge: Merge | None = None
    join: Literal["all", "any"] = "all"
    branching: Branching = "first"
    disabled: bool = False
    metadata: JsonMap = Field(default_factory=lambda: freeze({}))
    position: Position | None = None


class EdgeSpec(Spec):
    """One edge; at most one of `when` (token), `condition` (expression) and `trigger`."""

    id: str | None = Field(default=None, min_length=1, max_length=128)
    source: Source
    target: Target
    when: str | None = None
    condition: str | None = None
    trigger: Literal["agent"] | None = None
    on: EdgeGroup = "completed"
    priority: int = Field(default=0, ge=-(2**31), lt=2**31)
    label: str = ""

    _index: int = PrivateAttr(default=-1)

    @property
    def index(self) -> int:
        """The edge's position in the document's list."""
        return self._index

    @property
    def key(self) -> str:
        """The edge's id, else `source->target`: how events and problems name it."""
        return self.id or f"{self.source}->{self.target}"

    @property
    def conditional(self) -> bool:
        """Whether the edge has `when` or `condition`."""
        return self.when is not None or self.condition is not None

    @model_validator(mode="after")
    def _one_way_of_choosing(self) -> EdgeSpec:
        given = [n for n in ("when", "condition", "trigger") if getattr(self, n) is not None]
        if len(given) > 1:
            raise refusal(
                "InvalidValue",
                f"An edge has at most one of when, condition and trigger, not {' and '.join(given)}:"
                " draw two edges instead.",
            )
        return self


class Defaults(Spec):
    """What nodes that say nothing get."""

    read_keys: tuple[Key, ...] = ()
    write_keys: tuple[Key, ...] = ()
    merge: Merge = "deep"
    on_no_match: Literal["fail", "end"] = "fail"


class Limits(Spec):
    """What bounds a run. None is no cap; waiting for people is not counted as time."""

    max_iterations: int = Field(default=50, ge=1, le=10_000)
    max_execution_time_ms: int = Field(default=3_600_000, ge=1, le=366 * 86_400_000)
    budget_usd: Money | None = None
    max_token_budget: int | None = Field(default=None, ge=0)


class Interface(Spec):
    """Declared inputs (JSON Schema) and output keys when used as a subgraph, API or tool."""

    inputs: JsonMap = Field(default_factory=lambda: freeze({}))
    outputs: tuple[Key, ...] = ()


class GraphSpec(Spec):
    """A whole document in its checked form. Nodes, edges and agents keep the document's order."""

    graphwright: int = FORMAT
    id: Id
    name: str = ""
    version: str | None = Field(default=None, max_length=64)
    description: str = ""
    goal: str = ""
    constraints: tuple[str, ...] = ()
    state_schema: JsonMap | None = None
    initial_memory: JsonMap = Field(default_factory=lambda: freeze({}))
    defaults: Defaults = Defaults()
    limits: Limits = Limits()
    interface: Interface | None = None
    agents: tuple[AgentSpec, ...] = Field(default=(), max_length=1_000)
    nodes: tuple[NodeSpec, ...] = Field(default=(), max_length=MAX_GRAPH_NODES)
    edges: tuple[EdgeSpec, ...] = Field(default=(), max_length=MAX_GRAPH_EDGES)
    notes: tuple[Note, ...] = Field(default=(), max_length=1_000)

    def model_post_init(self, _context: object, /) -> None:
        """Give each edge its position."""
        for index, edge in enumerate(self.edges):
            edge._index = index

    @cached_property
    def nodes_by_id(self) -> Mapping[str, NodeSpec]:
        """The nodes of the graph; of several with one id, the last."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def agents_by_id(self) -> Mapping[str, AgentSpec]:
        """Agents of the document by id."""
        return {agent.id: agent for agent in self.agents}

    @cached_property
    def _out(self) -> Mapping[str, tuple[EdgeSpec, ...]]:
        return _grouped(self.edges, "source")

    @cached_property
    def _in(self) -> Mapping[str, tuple[EdgeSpec, ...]]:
        return _grouped(self.edges, "target")

    @cached_property
    def hash(self) -> str:
        """Digest of the document without positions on the canvas: what a version is known by."""
        document = dump_document(self)
        for part in ("nodes", "notes"):
            for item in document.get(part, ()):
                item.pop("position", None)
        return digest(document)

    def node(self, node_id: str) -> NodeSpec:
        """Return the node. Raises `KeyError`."""
        return self.nodes_by_id[node_id]

    def edges_from(self, source: str, on: EdgeGroup | None = None) -> tuple[EdgeSpec, ...]:
        """Return the edges that leave `source` in document order, of one group if `on` is given."""
        edges = self._out.get(source, ())
        return edges if on is None else tuple(edge for edge in edges if edge.on == on)

    def edges_to(self, target: str) -> tuple[EdgeSpec, ...]:
        """Return the edges that lead to `target` in document order."""
        return self._in.get(target, ())

    def read_keys_of(self, node: NodeSpec) -> tuple[str, ...]:
        """Return what the node may read: its own list, else the graph's default."""
        return self.defaults.read_keys if node.read_keys is None else node.read_keys

    def write_keys_of(self, node: NodeSpec) -> tuple[str, ...]:
        """Return what the node may write: its own list, else the graph's default."""
        return self.defaults.write_keys if node.write_keys is None else node.write_keys

    def merge_of(self, node: NodeSpec) -> Merge:
        """Return how the node's data enters memory: its own setting, else the graph's."""
        return node.merge or self.defaults.merge


def _grouped(edges: tuple[EdgeSpec, ...], end: str) -> dict[str, tuple[EdgeSpec, ...]]:
    groups: dict[str, list[EdgeSpec]] = {}
    for edge in edges:
        groups.setdefault(getattr(edge, end), []).append(edge)
    return {name: tuple(group) for name, group in groups.items()}


def parse_document(
    source: str | bytes | Mapping[str, Any],
) -> tuple[GraphSpec | None, list[Problem]]:
    """Return the document and everything wrong with its form, all problems at once.

    `source` is YAML or JSON text, or what such text stands for. The spec is None when there is an
    error; names that lead nowhere are found later, by `engine.check.check`. Never raises.
    """
    try:
        with bounded():
            return _parsed(source)
    except TooMuchWork:
        return None, [too_much()]


def _parsed(source: str | bytes | Mapping[str, Any]) -> tuple[GraphSpec | None, list[Problem]]:
    try:
        raw = read_raw(source)
    except UnreadableInput as error:
        return None, [Problem.of("UnreadableDocument", error.path, error.reason)]
    except InvalidJson as error:
        return None, [Problem.of("InvalidValue", error.path, str(error))]
    if not isinstance(raw, Mapping):
        return None, [Problem.of("UnreadableDocument", "", NO_DOCUMENT)]
    given = raw.get("graphwright", FORMAT)
    if type(given) is not int or given != FORMAT:
        message = (
            f"Format version {given!r} is not known; this release reads graphwright: {FORMAT}."
        )
        return None, [Problem.of("UnsupportedFormat", "graphwright", message)]
    return _validated(raw)


def read_raw(source: str | bytes | Mapping[str, Any]) -> Any:
    """Return what YAML or JSON text stands for. Raises `UnreadableInput` and `InvalidJson`."""
    if isinstance(source, (str, bytes)):
        return freeze(parse_yaml(source, max_bytes=MAX_IMPORT))
    return freeze(source)


def _validated(raw: Mapping[str, Any]) -> tuple[GraphSpec | None, list[Problem]]:
    spec, problems = None, []
    try:
        spec = GraphSpec.model_validate_json(orjson.dumps(raw), strict=True)
    except ValidationError as error:
        problems = problems_of(error, GraphSpec, raw)
    problems = with_ids([*problems, *duplicates(raw)], raw)
    return (None if has_errors(problems) else spec), problems


def dump_document(spec: GraphSpec) -> dict[str, Any]:
    """Return the document without what equals its default; `parse_document` gives it back."""
    fields = spec.model_dump(mode="json", exclude_defaults=True)
    return {"graphwright": FORMAT, **fields}
