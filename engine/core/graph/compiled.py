"""A graph compiled for running: built once per version, read-only, shared by all its runs.

Nodes are ints in document order. Edges keep their index in the document; edges that only a config
implies (`rejection_node_id`, `synthesizer_node_id`, an entry that is not drawn) follow after them.
The rules are those of routing (`engine.core.graph.routing`) and of joins (`engine.core.graph.joins`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Protocol

from engine.core.graph.digraph import Digraph

START_ID: Final = "__start__"
END_ID: Final = "__end__"
END: Final = -1
"""The index that stands for `__end__` as the target of an edge."""


class NodeLike(Protocol):
    """What compiling reads of a node."""

    @property
    def id(self) -> str: ...
    @property
    def config(self) -> Mapping[str, Any]: ...
    @property
    def join(self) -> str: ...
    @property
    def branching(self) -> str: ...
    @property
    def disabled(self) -> bool: ...


class EdgeLike(Protocol):
    """What compiling reads of an edge."""

    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def when(self) -> str | None: ...
    @property
    def condition(self) -> str | None: ...
    @property
    def trigger(self) -> str | None: ...
    @property
    def on(self) -> str: ...
    @property
    def priority(self) -> int: ...


class DefaultsLike(Protocol):
    """What compiling reads of a graph's defaults."""

    @property
    def on_no_match(self) -> str: ...


class GraphLike(Protocol):
    """What compiling reads of a graph document."""

    @property
    def nodes(self) -> Sequence[NodeLike]: ...
    @property
    def edges(self) -> Sequence[EdgeLike]: ...
    @property
    def defaults(self) -> DefaultsLike: ...


@dataclass(frozen=True, slots=True)
class CompiledEdge:
    """One edge that can move a token. `target` is a node or END; `drawn` tells it from config."""

    index: int
    source: int
    target: int
    source_id: str
    target_id: str
    on: str = "completed"
    when: str | None = None
    condition: str | None = None
    agent: bool = False
    priority: int = 0
    drawn: bool = True

    @property
    def conditional(self) -> bool:
        """Whether it is taken only on a token or an expression."""
        return self.when is not None or self.condition is not None


@dataclass(slots=True)
class Group:
    """The edges of one node for one `on`, each tuple by priority, then declaration.

    `fallback` is the edge that runs when no drawn one is followed (a map's synthesizer).
    """

    conditional: tuple[CompiledEdge, ...] = ()
    plain: tuple[CompiledEdge, ...] = ()
    agent: tuple[CompiledEdge, ...] = ()
    fallback: CompiledEdge | None = None
    by_target: dict[str, CompiledEdge] = field(default_factory=dict)
    plain_indices: tuple[int, ...] = ()


@dataclass(slots=True)
class CompiledNode:
    """One node: its place, whether it waits for several edges, and its edges by `on`.

    `takes_all` says that of its conditional edges all are taken that match, not the first alone.
    """

    index: int
    id: str
    disabled: bool
    takes_all: bool = False
    is_join: bool = False
    groups: dict[str, Group] = field(default_factory=dict)


class CompiledGraph:
    """What runs of one graph version share. Nothing of it may be changed.

    `targets[e]` and `sources[e]` are node indices of edge e (`targets` END, and the source of the
    edges from `__start__` is `len(nodes)`); `entry` names the nodes that start; `shape` has order,
    components, dominators and loops of all edges that can move a token, rooted at `__start__`.
    """

    def __init__(
        self, nodes: list[CompiledNode], edges: list[CompiledEdge | None], *, on_no_match: str
    ) -> None:
        self.nodes = nodes
        self.edges = edges
        self.on_no_match = on_no_match
        self.index = {node.id: node.index for node in nodes}
        self.targets = [END if edge is None else edge.target for edge in edges]
        self.sources = [len(nodes) if edge is None else edge.source for edge in edges]
        moving = [edge for edge in edges if edge is not None]
        self.start_edges = tuple(e.index for e in moving if e.source == len(nodes))
        self.entry = tuple(e.target_id for e in moving if e.source == len(nodes))
        self.successors: list[list[int]] = [[] for _ in range(len(nodes) + 1)]
        for edge in moving:
            if edge.target != END:
                self.successors[edge.source].append(edge.target)
        self.shape = Digraph(self.successors, len(nodes))
        self._reaching: dict[int, int] = {}
        self._spared: dict[int, int] = {}

    @cached_property
    def has_joins(self) -> bool:
        """Whether any node waits for several edges."""
        return any(node.is_join for node in self.nodes)

    def group(self, node_id: str, on: str = "completed") -> Group | None:
        """Return the edges of a node for `on`; None if it has none. Raises KeyError if unknown."""
        return self.nodes[self.index[node_id]].groups.get(on)

    def loop(self, node: int) -> int:
        """Return the loop that `node` heads as a bitset of nodes, 0 if it heads none."""
        return self.shape.loops.get(node, 0)

    def reaching(self, node: int) -> int:
        """Return the nodes that reach `node` without an edge that restarts it, as a bitset."""
        found = self._reaching.get(node)
        if found is None:
            found = self._reaching[node] = self.shape.reaching(node)
        return found

    def spared(self, node: int) -> int:
        """Return the nodes where a parked token never holds `node`: itself and heads around it."""
        found = self._spared.get(node)
        if found is None:
            found = 1 << node
            for head, loop in self.shape.loops.items():
                if loop >> node & 1:
                    found |= 1 << head
            self._spared[node] = found
        return found


def compile_graph(spec: GraphLike) -> CompiledGraph:
    """Return `spec` compiled. Edges from or to unknown nodes move nothing: check names them."""
    index: dict[str, int] = {}
    for node in spec.nodes:
        index.setdefault(node.id, len(index))
    nodes = [
        CompiledNode(place, node.id, node.disabled, node.branching == "all")
        for place, node in enumerate(_unique(spec.nodes))
    ]
    edges = _drawn_edges(spec, index)
    _add_implied(spec, index, edges)
    compiled = CompiledGraph(nodes, edges, on_no_match=spec.defaults.on_no_match)
    _group_edges(compiled)
    _mark_joins(compiled, spec)
    return compiled


def _unique(nodes: Sequence[NodeLike]) -> Iterator[NodeLike]:
    seen: set[str] = set()
    for node in nodes:
        if node.id not in seen:
            seen.add(node.id)
            yield node


def own_children(config: Mapping[str, Any]) -> set[str]:
    """Return the ids of the nodes that a composite with this config runs itself, as children."""
    swarm = config.get("swarm")
    peers = _named(swarm, "peer_nodes") if isinstance(swarm, Mapping) else set()
    return peers | delegates(config)


def delegates(config: Mapping[str, Any]) -> set[str]:
    """Return the children that an edge of the composite's own never starts (row C74).

    A supervisor's nodes and a map's worker are parts of its work. A swarm's peers are nodes like
    others, to which the entry may pass on once the swarm has ended (row C133).
    """
    return _named(config, "managed_nodes", "worker_node_id")


def _named(place: Mapping[str, Any], *fields: str) -> set[str]:
    found: set[str] = set()
    for field_name in fields:
        value = place.get(field_name)
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, (list, tuple)):
            found.update(item for item in value if isinstance(item, str))
    return found


def _drawn_edges(spec: GraphLike, index: dict[str, int]) -> list[CompiledEdge | None]:
    """Return the document's edges; None for those that can never move a token (row C74)."""
    children = {node.id: delegates(node.config) for node in spec.nodes if node.config}
    places = {START_ID: len(index), **index}
    edges: list[CompiledEdge | None] = []
    for number, edge in enumerate(spec.edges):
        source = places.get(edge.source)
        target = END if edge.target == END_ID else index.get(edge.target)
        if source is None or target is None or edge.target in children.get(edge.source, ()):
            edges.append(None)
            continue
        edges.append(
            CompiledEdge(
                number,
                source,
                target,
                edge.source,
                edge.target,
                edge.on,
                edge.when,
                edge.condition,
                edge.trigger == "agent",
                edge.priority,
            )
        )
    return edges


def _add_implied(spec: GraphLike, index: dict[str, int], edges: list[CompiledEdge | None]) -> None:
    """Append the edges that configs stand for; a drawn edge is never overruled (row S25)."""
    drawn: dict[tuple[str, str], list[CompiledEdge]] = {}
    for edge in edges:
        if edge is not None:
            drawn.setdefault((edge.source_id, edge.on), []).append(edge)

    def imply(source: str, target: str, on: str) -> None:
        place = index.get(source, len(index))
        edges.append(
            CompiledEdge(len(edges), place, index[target], source, target, on, drawn=False)
        )

    for node in spec.nodes:
        rejection, synthesizer = _leads_to(node.config)
        if rejection in index and (node.id, "rejected") not in drawn:
            imply(node.id, rejection, "rejected")
        if synthesizer in index and all(
            edge.conditional and edge.target_id != synthesizer
            for edge in drawn.get((node.id, "completed"), ())
        ):
            imply(node.id, synthesizer, "completed")
    if not any(edge.source == START_ID for edge in spec.edges):
        for entry in _only_entry(spec):
            imply(START_ID, entry, "completed")


def _leads_to(config: Mapping[str, Any]) -> tuple[str, str]:
    """Return the nodes that run on rejection and after a map, "" where none is named."""
    rejection, synthesizer = config.get("rejection_node_id"), config.get("synthesizer_node_id")
    return (
        rejection if isinstance(rejection, str) else "",
        synthesizer if isinstance(synthesizer, str) else "",
    )


def _only_entry(spec: GraphLike) -> list[str]:
    """Return the one node that no edge and no config leads to, or nothing (row C191)."""
    led_to = {edge.target for edge in spec.edges}
    for node in spec.nodes:
        if node.config:
            led_to.update(own_children(node.config), _leads_to(node.config))
    free = [node.id for node in _unique(spec.nodes) if node.id not in led_to]
    return free if len(free) == 1 else []


def _group_edges(compiled: CompiledGraph) -> None:
    outgoing: dict[tuple[int, str], list[CompiledEdge]] = {}
    for edge in compiled.edges:
        if edge is not None and edge.source < len(compiled.nodes):
            outgoing.setdefault((edge.source, edge.on), []).append(edge)
    for (source, on), edges in outgoing.items():
        compiled.nodes[source].groups[on] = _group(edges)


def _group(edges: list[CompiledEdge]) -> Group:
    if len(edges) > 1:
        edges = sorted(edges, key=lambda edge: edge.priority)
    group = Group()
    for edge in edges:
        if edge.drawn:
            group.by_target.setdefault(edge.target_id, edge)
        if edge.agent:
            group.agent += (edge,)
        elif edge.conditional:
            group.conditional += (edge,)
        elif not edge.drawn and edge.on == "completed":
            group.fallback = edge
        else:
            group.plain += (edge,)
    group.plain_indices = tuple(edge.index for edge in group.plain)
    return group


def _mark_joins(compiled: CompiledGraph, spec: GraphLike) -> None:
    """Mark the nodes that wait: several edges that can bring a token, and not `join: any`."""
    incoming = [0] * len(compiled.nodes)
    for edge in compiled.edges:
        if edge is not None and edge.target != END and compiled.shape.reachable(edge.source):
            incoming[edge.target] += 1
    for node, source in zip(compiled.nodes, _unique(spec.nodes), strict=True):
        node.is_join = incoming[node.index] > 1 and source.join != "any"
