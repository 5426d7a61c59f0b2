"""Small graphs for tests of compiling, routing and joins, without the document's models."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.core.graph.compiled import CompiledGraph, compile_graph


@dataclass
class Node:
    id: str
    config: dict[str, Any] = field(default_factory=dict)
    join: str = "all"
    disabled: bool = False
    type: str = "function"
    branching: str = "first"


@dataclass
class Edge:
    source: str
    target: str
    when: str | None = None
    condition: str | None = None
    trigger: str | None = None
    on: str = "completed"
    priority: int = 0
    label: str | None = None


@dataclass
class Defaults:
    on_no_match: str = "fail"


@dataclass
class Graph:
    nodes: list[Node]
    edges: list[Edge]
    defaults: Defaults = field(default_factory=Defaults)


def _plain(text: str) -> Edge:
    source, target = text.split(" > ")
    return Edge(source, target)


def graph(*edges: Edge | str, nodes: tuple[Node, ...] = (), on_no_match: str = "fail") -> Graph:
    """A graph of edges, written `"a > b"` where they are plain; nodes appear as they are named."""
    drawn = [_plain(edge) if isinstance(edge, str) else edge for edge in edges]
    known = {node.id: node for node in nodes}
    for edge in drawn:
        for name in (edge.source, edge.target):
            if not name.startswith("__"):
                known.setdefault(name, Node(name))
    return Graph(list(known.values()), drawn, Defaults(on_no_match))


def compiled(
    *edges: Edge | str, nodes: tuple[Node, ...] = (), on_no_match: str = "fail"
) -> CompiledGraph:
    return compile_graph(graph(*edges, nodes=nodes, on_no_match=on_no_match))
