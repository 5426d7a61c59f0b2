"""A prefix told anew on a changed graph: its edges by their places there."""

from __future__ import annotations

from typing import Any, TypeAlias

from engine.core.errors import RequestRefused
from engine.core.graph.compiled import CompiledEdge, CompiledGraph
from engine.core.state.events import Event, node_of
from engine.core.state.fold.run import fold
from engine.core.state.program import Program

Emission: TypeAlias = "tuple[str, str | None, dict[str, Any]]"
PINNED = frozenset({"AgentPinned"})
"""What another draft may define anew."""


def remapped(prefix: list[Emission], old: Program, new: Program) -> list[Emission]:
    """Return the prefix with the edges of `new`; agents are resolved anew.

    Raises `RequestRefused` `ForkNotPossible` where the prefix went a way that `new` lacks.
    """
    places = _places(old.graph, new.graph)
    if [places.get(index) for index in old.graph.start_edges] != list(new.graph.start_edges):
        raise _impossible("it starts elsewhere")
    out: list[Emission] = []
    for type_, key, data in prefix:
        if type_ in PINNED:
            continue
        node = None if key is None else node_of(key)
        if node is not None and node not in new.spec.nodes_by_id:
            raise _impossible(f"it has no node {node!r}, which ran before the point")
        if type_ == "EdgeEvaluated":
            if data["edge"] not in places:
                continue
            data = {**data, "edge": places[data["edge"]]}
        elif "edges" in data:
            data = {**data, "edges": [_place(places, old.graph, index) for index in data["edges"]]}
        out.append((type_, key, data))
    tried(out, new)
    return out


def _place(places: dict[int, int], old: CompiledGraph, index: int) -> int:
    edge = old.edges[index]
    if index not in places and edge is not None:
        raise _impossible(f"it lacks the edge {edge.source_id} → {edge.target_id} that was taken")
    return places[index]


def _places(old: CompiledGraph, new: CompiledGraph) -> dict[int, int]:
    """Return where each edge of `old` stands in `new`: by what it says, else by its ends."""
    exact: dict[Any, int] = {}
    loose: dict[Any, int] = {}
    for edge in reversed([edge for edge in new.edges if edge is not None]):
        exact[_words(edge)] = edge.index
        loose[_ends(edge)] = edge.index
    found = {
        edge.index: exact.get(_words(edge), loose.get(_ends(edge)))
        for edge in old.edges
        if edge is not None
    }
    return {index: place for index, place in found.items() if place is not None}


def _words(edge: CompiledEdge) -> tuple[Any, ...]:
    return (*_ends(edge), edge.when, edge.condition, edge.agent)


def _ends(edge: CompiledEdge) -> tuple[Any, ...]:
    return (edge.source_id, edge.target_id, edge.on)


def tried(prefix: list[Emission], program: Program) -> None:
    """Fold the prefix once where nothing depends on it. Raises `RequestRefused` `ForkNotPossible`."""
    events = [Event(n, type_, 0, key, data) for n, (type_, key, data) in enumerate(prefix, 1)]
    try:
        fold(program, events)
    except (KeyError, IndexError) as error:
        raise _impossible("it joins the ways of the run differently") from error


def _impossible(why: str) -> RequestRefused:
    return RequestRefused("ForkNotPossible", f"the run cannot go on with this draft: {why}")
