"""Which wires a kept activation leaves by in another draft: the same ones, or chosen anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.errors import NodeError
from engine.core.graph.compiled import CompiledEdge, CompiledGraph
from engine.core.graph.routing import PASSED_ON, Choice, Outcome, choose_edges
from engine.core.node_types.node_type import NodeResult
from engine.core.state.events import Event
from engine.core.state.lanes import edge_scope, evaluate_condition
from engine.core.state.run_state import RunState
from engine.core.values.json import EMPTY, FrozenDict


class Ways:
    """The wires of one graph by their places in another."""

    def __init__(self, was: CompiledGraph, now: CompiledGraph) -> None:
        self._was, self._now = was, now
        there = {_words(edge): edge.index for edge in reversed(now.edges) if edge is not None}
        self._places = {
            edge.index: there[_words(edge)]
            for edge in was.edges
            if edge is not None and _words(edge) in there
        }

    def place(self, edge: int) -> int | None:
        """Return where a wire is now, None where it is gone."""
        return self._places.get(edge)

    def same(self, node: str, on: str) -> bool:
        """Return whether the wires out of a node are the ones they were, in the same order."""
        return _out(self._was, node, on) == _out(self._now, node, on)

    def after(self, was: RunState, now: RunState, event: Event) -> list[int] | None:
        """Return the wires by which an activation leaves whose end `event` is; None: unknown.

        Where its wires changed, its conditions are tried again over what it left. What it chose
        by itself cannot be chosen again without running it.
        """
        node = str(event.node)
        taken = list(event.data.get("edges", ()))
        group = "failed" if event.type == "NodeFailed" else "completed"
        places = [self.place(edge) for edge in taken]
        if self.same(node, group) or event.type == "NodeFailed":
            kept = [place for place in places if place is not None]
            return kept if len(kept) == len(taken) else None
        before, after = _chosen(was, event), _chosen(now, event)
        if before is None or after is None or before.error or list(before.edges) != taken:
            return None
        return None if after.error else list(after.edges)


def _chosen(state: RunState, event: Event) -> Choice | None:
    """Return what the wires and their conditions alone choose over what an activation left."""
    act = state.activations[str(event.key)]
    if event.type == "NodeSkipped":
        return choose_edges(state.program.graph, act.node, PASSED_ON, lambda _edge: (False, True))
    data: Mapping[str, Any] = event.data
    writes, results = dict(data.get("writes", EMPTY)), dict(data.get("results", EMPTY))
    output = data["output"] if "output" in data else data.get("writes", EMPTY)
    said = Outcome(condition=data.get("condition"), intent=data.get("intent"))
    result = NodeResult(
        data=FrozenDict({**writes, **results}),
        output=output,
        condition=said.condition,
        intent=said.intent,
    )
    metadata = dict(data.get("metadata", EMPTY))
    try:
        plan = state.program.plan(act.node)
        scope = edge_scope(state, plan, act, result, (writes, results, output, metadata))

        def evaluate(edge: CompiledEdge) -> tuple[bool, bool]:
            return evaluate_condition(edge.condition or "", scope)

        return choose_edges(state.program.graph, act.node, said, evaluate)
    except NodeError:
        return None


def _out(graph: CompiledGraph, node: str, on: str) -> list[tuple[Any, ...]]:
    compiled = graph.nodes[graph.index[node]]
    group = compiled.groups.get(on)
    if group is None:
        return []
    fallback = () if group.fallback is None else (group.fallback,)
    edges = (*group.conditional, *group.plain, *group.agent, *fallback)
    return [(compiled.takes_all, compiled.disabled), *(_words(edge) for edge in edges)]


def _words(edge: CompiledEdge) -> tuple[Any, ...]:
    return (edge.source_id, edge.target_id, edge.on, edge.when, edge.condition, edge.agent)
