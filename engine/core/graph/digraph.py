"""Shape of a directed graph: order, loops, dominators and reachability as bitsets.

A bitset is a Python int whose bit n stands for node n. Everything but the first walk is computed
when it is first asked for and then kept, so that graphs without joins or loops never pay for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

_DIGITS: Final = bytes.maketrans(b"\0\1", b"01")


class Digraph:
    """The part of a graph that can be reached from `root`; nodes are 0..len(successors)-1.

    `order` is the reverse postorder of the depth-first walk from `root` that takes successors as
    listed; `rank[n]` is the place of n in it, -1 for nodes that cannot be reached; `returning`
    holds the arcs (tail, head) that close a cycle in that walk, each once.
    """

    def __init__(self, successors: Sequence[Sequence[int]], root: int) -> None:
        self.successors = successors
        self.root = root
        self.order, self.returning = _walk(successors, root)
        self.rank = [-1] * len(successors)
        for place, node in enumerate(self.order):
            self.rank[node] = place

    def reachable(self, node: int) -> bool:
        """Return whether `node` can be reached from the root."""
        return self.rank[node] >= 0

    @cached_property
    def predecessors(self) -> list[list[int]]:
        """For each node the reachable nodes with an arc to it."""
        before: list[list[int]] = [[] for _ in self.successors]
        for node in self.order:
            for target in self.successors[node]:
                before[target].append(node)
        return before

    @cached_property
    def components(self) -> list[int]:
        """For each node the number of its strongly connected component, -1 if unreachable."""
        component = [-1] * len(self.successors)
        for number, first in enumerate(self.order):
            if component[first] >= 0:
                continue
            component[first] = number
            found = [first]
            for node in found:
                for before in self.predecessors[node]:
                    if component[before] < 0:
                        component[before] = number
                        found.append(before)
        return component

    @cached_property
    def dominators(self) -> list[int]:
        """For each node its immediate dominator; the root's is itself, -1 if unreachable.

        The iterative algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
        Algorithm" (2001).
        """
        above = [-1] * len(self.successors)
        above[self.root] = self.root
        changed = True
        while changed:
            changed = False
            for node in self.order[1:]:
                best = -1
                for before in self.predecessors[node]:
                    if above[before] >= 0:
                        best = before if best < 0 else self._meet(above, best, before)
                if above[node] != best:
                    above[node] = best
                    changed = True
        return above

    def _meet(self, above: list[int], one: int, other: int) -> int:
        rank = self.rank
        while one != other:
            if rank[one] > rank[other]:
                one = above[one]
            else:
                other = above[other]
        return one

    def dominates(self, upper: int, node: int) -> bool:
        """Return whether every path from the root to `node` passes `upper`."""
        above, rank = self.dominators, self.rank
        if rank[node] < 0 or rank[upper] < 0:
            return False
        while rank[node] > rank[upper]:
            node = above[node]
        return node == upper

    @cached_property
    def _tails(self) -> dict[int, list[int]]:
        """For each head of returning arcs their tails."""
        tails: dict[int, list[int]] = {}
        for tail, head in self.returning:
            tails.setdefault(head, []).append(tail)
        return tails

    @cached_property
    def rounds(self) -> dict[int, int]:
        """For each head the bitset of the nodes that its returning arcs restart.

        These are the head and the nodes on one cycle with it that reach the tail of an arc
        returning to it without passing it.
        """
        return {head: self._round(head, tails) for head, tails in self._tails.items()}

    @cached_property
    def loops(self) -> dict[int, int]:
        """For each head that dominates the tail of a returning arc: the bitset of its loop."""
        loops: dict[int, int] = {}
        for head, tails in self._tails.items():
            inside = [tail for tail in tails if self.dominates(head, tail)]
            if inside:
                # all that reach such a tail without passing the head lie on a cycle with it
                whole = len(inside) == len(tails)
                loops[head] = self.rounds[head] if whole else self._round(head, inside)
        return loops

    @cached_property
    def _before(self) -> list[list[int]]:
        """For each node its predecessors in the same component."""
        component = self.components
        return [
            [source for source in before if component[source] == component[node]]
            for node, before in enumerate(self.predecessors)
        ]

    def _round(self, head: int, tails: list[int]) -> int:
        """Return `head` and the nodes of its component that reach one of `tails` around it."""
        before = self._before
        seen = bytearray(len(self.successors))
        seen[head] = 1
        found = [tail for tail in tails if tail != head]
        for tail in found:
            seen[tail] = 1
        for node in found:
            for source in before[node]:
                if not seen[source]:
                    seen[source] = 1
                    found.append(source)
        return int(seen.translate(_DIGITS)[::-1], 2)

    @cached_property
    def _ancestors(self) -> list[int]:
        """For each node the bitset of those that reach it without any returning arc."""
        rank, ancestors = self.rank, [0] * len(self.successors)
        for node in self.order:
            mine = ancestors[node] | 1 << node
            for target in self.successors[node]:
                if rank[target] > rank[node]:
                    ancestors[target] |= mine
        return ancestors

    def reaching(self, node: int) -> int:
        """Return the nodes that reach `node` by arcs none of which restarts it, as a bitset."""
        ancestors = self._ancestors
        reached = ancestors[node]
        usable = [arc for arc in self.returning if not self.rounds[arc[1]] >> node & 1]
        grown = True
        while grown:
            grown = False
            for tail, head in usable:
                if reached >> head & 1 and not reached >> tail & 1:
                    reached |= ancestors[tail] | 1 << tail
                    grown = True
        return reached


def _walk(
    successors: Sequence[Sequence[int]], root: int
) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the reverse postorder from `root` and the arcs that close a cycle."""
    unseen, open_, done = 0, 1, 2
    state = bytearray(len(successors))
    state[root] = open_
    order: list[int] = []
    returning: dict[tuple[int, int], None] = {}
    stack = [(root, iter(successors[root]))]
    while stack:
        node, rest = stack[-1]
        for target in rest:
            if state[target] == unseen:
                state[target] = open_
                stack.append((target, iter(successors[target])))
                break
            if state[target] == open_:
                returning[node, target] = None
        else:
            stack.pop()
            state[node] = done
            order.append(node)
    order.reverse()
    return order, list(returning)
