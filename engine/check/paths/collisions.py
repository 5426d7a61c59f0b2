"""Nodes on parallel branches of a fork that write the same keys.

Every two branches of a fork are a pair. One walk over the graph carries all pairs at once, as the
bits of two integers: which pairs' first, and which pairs' second branch reaches a node. Two nodes
run beside each other where one is reached by one branch alone and the other by the other alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from engine.check.paths.reach import Successors, in_order
from engine.check.steps import Steps, spread

Fork = tuple[str, Sequence[str]]
"""A node, or the start, and the nodes that it starts together."""

_WIDE = 12
"""Forks of more branches are walked one by one: their pairs would fill the memory."""


class Branches:
    """Tells which nodes run on different branches of the same fork.

    Raises `TooManySteps` where that takes more steps than are left.
    """

    def __init__(self, leads: Successors, forks: Sequence[Fork], steps: Steps) -> None:
        self._leads, self._steps = leads, steps
        self._order = in_order(leads, leads)
        self._wide: list[tuple[int, dict[str, int]]] = []
        self._starts: list[int] = []  # the first pair of each fork
        firsts: dict[str, int] = {}
        seconds: dict[str, int] = {}
        ends: dict[str, int] = {}
        bit = 1
        for place, (fork, listed) in enumerate(forks):
            targets = tuple(dict.fromkeys(listed))
            self._starts.append(bit.bit_length() - 1)
            if len(targets) > _WIDE:
                self._wide.append((place, self._masks(fork, targets)))
                continue
            for first, second in combinations(targets, 2):
                firsts[first] = firsts.get(first, 0) | bit
                seconds[second] = seconds.get(second, 0) | bit
                ends[fork] = ends.get(fork, 0) | bit
                bit <<= 1
        self._starts.append(bit.bit_length() - 1)
        ones, others = self._spread(firsts, ends), self._spread(seconds, ends)
        self._ones = {name: ones[name] & ~others[name] for name in leads}
        self._others = {name: others[name] & ~ones[name] for name in leads}

    def beside(self, nodes: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """Yield the place of the fork, of the earlier and of the later node in `nodes`.

        Each node comes at most once: with the first fork, and there the first node beside it.
        """
        found = {later: (fork, first) for fork, first, later in self._narrow(nodes)}
        for place, masks in self._wide:
            reached = [masks.get(name, 0) for name in nodes]
            for later, mine in enumerate(reached):
                if not mine or (later in found and found[later][0] < place):
                    continue
                first = self._incomparable(mine, reached[:later])
                if first is not None:
                    found[later] = (place, first)
        for later, (fork, first) in found.items():
            yield fork, first, later

    def _narrow(self, nodes: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """Yield what `beside` does, of the forks whose branches are pairs."""
        ones, others = [0], [0]  # what the nodes before a place have in all
        for later, name in enumerate(nodes):
            mine, its = self._ones.get(name, 0), self._others.get(name, 0)
            self._steps.take(1 + (mine.bit_length() >> 12))
            hits = (mine & others[-1]) | (its & ones[-1])
            if hits:
                lowest = (hits & -hits).bit_length() - 1
                fork = self._fork_of(lowest)
                low, high = self._starts[fork], self._starts[fork + 1]
                group = (1 << high) - (1 << low)
                yield fork, self._earliest(mine & group, its & group, ones, others), later
            ones.append(ones[-1] | mine)
            others.append(others[-1] | its)

    def _fork_of(self, pair: int) -> int:
        place = bisect_left(self._starts, pair + 1)
        return place - 1

    def _earliest(self, mine: int, its: int, ones: list[int], others: list[int]) -> int:
        return (
            bisect_left(
                range(len(ones)),
                True,
                key=lambda n: bool((mine & others[n]) | (its & ones[n])),
            )
            - 1
        )

    def _incomparable(self, mine: int, earlier: Sequence[int]) -> int | None:
        for first, other in enumerate(earlier):
            self._steps.take(1)
            if mine & ~other and other & ~mine:
                return first
        return None

    def _masks(self, fork: str, targets: Sequence[str]) -> dict[str, int]:
        """Return for each node the branches of one fork that reach it, as bits."""
        return self._spread({name: 1 << n for n, name in enumerate(targets)}, {fork: -1})

    def _spread(self, starts: Mapping[str, int], ends: Mapping[str, int]) -> dict[str, int]:
        return spread(starts, self._leads, self._order, self._steps, ends)
