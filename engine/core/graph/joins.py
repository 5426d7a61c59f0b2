"""When a join runs: the bookkeeping of parked tokens, by the exact rule of the design.

A token at n *holds* the join J if n is in `loop(J)`, or if some token parked at J came from outside
`loop(J)` and n reaches J without an edge that restarts J. A token parked at a head whose loop has J
in it does not hold J. J runs when it has a token and nothing holds it.

An edge that returns to a head restarts J if J is in that head's round (`Digraph.rounds`): J reaches
some edge that returns to that head without passing it, by whichever edge this token returns.

Only what can have changed is looked at: every parked join names one place that holds it (its
*witness*) and is looked at again when the last token leaves that place. A step costs a few
operations on bitsets, however many branches are on their way.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Generic, NamedTuple, TypeVar

from engine.core.graph.compiled import CompiledGraph

T = TypeVar("T")


class Opened(NamedTuple, Generic[T]):
    """A join that runs, with what was parked at it in the order of arrival.

    `forced` says that only parked tokens held each other.
    """

    node: int
    parked: tuple[T, ...]
    forced: bool


class JoinGate(Generic[T]):
    """The moving and parked tokens of one run, as far as joins need to know of them."""

    __slots__ = (
        "_graph",
        "_moving",
        "_moving_at",
        "_outside",
        "_parked",
        "_parked_at",
        "_rank",
        "_unsure",
        "_watchers",
        "_wedged",
    )

    def __init__(self, graph: CompiledGraph) -> None:
        self._graph = graph
        self._rank = graph.shape.rank
        self._moving: dict[int, int] = {}  # node → number of moving tokens
        self._moving_at = 0  # the same as a bitset
        self._parked: dict[int, dict[int, T]] = {}  # join → edge → what is parked
        self._parked_at = 0
        self._outside = 0  # joins with a token from outside their loop
        self._unsure: set[int] = set()  # parked joins without a witness
        self._watchers: dict[int, list[int]] = {}  # witness → joins
        self._wedged: set[int] = set()  # joins whose witness is a parked token

    def enter(self, node: int) -> None:
        """Count one more moving token at `node`."""
        self._moving[node] = self._moving.get(node, 0) + 1
        self._moving_at |= 1 << node

    def leave(self, node: int) -> None:
        """Count one moving token less at `node`."""
        left = self._moving[node] - 1
        if left:
            self._moving[node] = left
            return
        del self._moving[node]
        self._moving_at ^= 1 << node
        for join in self._watchers.pop(node, ()):
            if join in self._parked:
                self._unsure.add(join)

    def park(self, node: int, edge: int, token: T) -> T | None:
        """Park a token at the join `node`; return the earlier one by that edge, which it replaces."""
        if not self._graph.loop(node) >> self._graph.sources[edge] & 1:
            self._outside |= 1 << node
        waiting = self._parked.get(node)
        if waiting is None:
            self._parked[node] = {edge: token}
            self._parked_at |= 1 << node
            self._unsure.add(node)
            return None
        earlier = waiting.pop(edge, None)
        waiting[edge] = token
        return earlier

    def open(self, node: int) -> tuple[T, ...]:
        """Let the join `node` run: its parked tokens move from now on. Return them."""
        taken = tuple(self._parked.pop(node).values())
        self._parked_at ^= 1 << node
        self._outside &= ~(1 << node)
        self._unsure.discard(node)
        self._wedged.discard(node)
        self._moving[node] = self._moving.get(node, 0) + len(taken)
        self._moving_at |= 1 << node
        return taken

    def parked(self, node: int) -> tuple[T, ...]:
        """Return what is parked at `node`, in the order of arrival."""
        return tuple(self._parked.get(node, {}).values())

    def is_parked(self, node: int, edge: int, token: T) -> bool:
        """Return whether this very token is parked at `node`."""
        return self._parked.get(node, {}).get(edge) is token

    def release(self) -> Iterator[Opened[T]]:
        """Open every join that may run now, in reverse postorder, each seeing those before it."""
        while self._unsure or self._wedged:
            yield from self._open_free()
            stuck = self._first_stuck()
            if stuck is None:
                return
            yield Opened(stuck, self.open(stuck), forced=True)

    def _open_free(self) -> Iterator[Opened[T]]:
        waiting = [(self._rank[join], join) for join in self._unsure]
        self._unsure.clear()
        heapq.heapify(waiting)
        while waiting:
            join = heapq.heappop(waiting)[1]
            if not self._find_witness(join):
                yield Opened(join, self.open(join), forced=False)

    def _holders(self, join: int) -> int:
        loop = self._graph.loop(join)
        return loop | self._graph.reaching(join) if self._outside >> join & 1 else loop

    def _find_witness(self, join: int) -> bool:
        """Note one place that holds `join`, a moving token if there is one; False if none does."""
        holders = self._holders(join)
        self._wedged.discard(join)
        held = self._moving_at & holders
        if not held:
            held = self._parked_at & holders & ~self._graph.spared(join)
            if not held:
                return False
            self._wedged.add(join)
        self._watchers.setdefault(held.bit_length() - 1, []).append(join)
        return True

    def _first_stuck(self) -> int | None:
        """Return the first of the parked joins that hold each other, None where there are none."""
        if not self._wedged:
            return None
        waits_for = self._waits_for_parked_only()
        while waits_for:
            held_up = 0
            for holders in waits_for.values():
                held_up |= holders
            idle = [join for join in waits_for if not held_up >> join & 1]
            if not idle:
                return min(waits_for, key=self._rank.__getitem__)
            for join in idle:  # it waits for the tangle but is no part of it
                del waits_for[join]
        return None

    def _waits_for_parked_only(self) -> dict[int, int]:
        """Return the joins that no moving token holds, however far one looks, with what does."""
        waits_for: dict[int, int] = {}
        progressing = 0
        for join in self._parked:
            holders = self._holders(join)
            if holders & self._moving_at:
                progressing |= 1 << join
            else:
                waits_for[join] = holders & self._parked_at & ~self._graph.spared(join)
        grown = True
        while grown:
            grown = False
            for join, holders in list(waits_for.items()):
                if holders & progressing:
                    progressing |= 1 << join
                    del waits_for[join]
                    grown = True
        return waits_for
