"""Joins that wait for an approval in every case: what runs behind them has been approved.

A join on no cycle runs at most once, when nothing is left that could still bring it a token. So it
takes every token that was ever sent to it. It is guarded if one of them is certain, and certain to
have passed an approval: every way to the join passes one fork, which always starts a branch that
always ends at the join, or ends the run, and whose last edge is behind an approval. Whatever could
lead elsewhere is no such branch: an edge for a failure, a rejection or a deadline, a condition, an
agent's choice, or a node type whose result may choose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from engine.check.subject import Subject
from engine.core.graph.compiled import END, CompiledEdge, CompiledGraph, compile_graph
from engine.core.values.effort import charge

_PLACE: Final = 6
"""Units of effort of a place, and of each of its edges."""


class Joins:
    """The joins of a graph that can be guarded by one of the branches that they wait for."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._graph: CompiledGraph = compile_graph(subject.spec)
        self._root = len(self._graph.nodes)
        self._out: list[list[CompiledEdge]] = [[] for _ in range(self._root + 1)]
        for edge in self._graph.edges:
            if edge is not None:
                self._out[edge.source].append(edge)
        self._joins = tuple(self._once())

    def guarded(self, open_: Collection[str]) -> set[str]:
        """Return the joins among `open_` that certainly take a token from behind an approval.

        `open_` are the nodes that a way without an approval leads to, as far as is known.
        """
        names = [self._graph.nodes[join].id for join in self._joins]
        return {
            name
            for join, name in zip(self._joins, names, strict=True)
            if name in open_ and self._waits(join, open_)
        }

    def _once(self) -> Iterator[int]:
        """Yield the joins that are on no cycle and that no composite runs by itself."""
        shape = self._graph.shape
        sizes = Counter(shape.components)
        children = {name for node in self._subject.nodes for name in node.run_children}
        for node in self._graph.nodes:
            alone = sizes[shape.components[node.index]] == 1
            if not node.is_join or not alone or not shape.reachable(node.index):
                continue
            if node.id not in children and node.index not in self._graph.successors[node.index]:
                yield node.index

    def _waits(self, join: int, open_: Collection[str]) -> bool:
        fork = join
        above = self._graph.shape.dominators
        while fork != self._root:
            fork = above[fork]
            if self._brings(fork, join, open_):
                return True
        return False

    def _brings(self, fork: int, join: int, open_: Collection[str]) -> bool:
        """Return whether `fork` starts a branch that always ends at `join`, from an approval."""
        stack, seen = [fork], {fork}
        while stack:
            place = stack.pop()
            charge(_PLACE * (1 + len(self._out[place])))
            if not self._always_leads(place):
                continue
            for edge in self._out[place]:
                if edge.target == join and self._is_behind_approval(place, open_):
                    return True
                if edge.target not in (END, join) and edge.target not in seen:
                    seen.add(edge.target)
                    stack.append(edge.target)
        return False

    def _always_leads(self, place: int) -> bool:
        """Return whether a token at `place` goes on by all of its edges, or the run ends there."""
        if place == self._root:
            return True
        node = self._subject.by_id[self._graph.nodes[place].id]
        chooses = node.type is None or node.config is None or node.type.chooses
        plain = all(
            edge.drawn and edge.on == "completed" and not edge.conditional and not edge.agent
            for edge in self._out[place]
        )
        return plain and (node.spec.disabled or not chooses)

    def _is_behind_approval(self, place: int, open_: Collection[str]) -> bool:
        if place == self._root:
            return False
        node = self._subject.by_id[self._graph.nodes[place].id]
        return node.id not in open_ or (node.is_gate and not node.spec.disabled)
