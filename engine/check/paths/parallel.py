"""What the branches of parallel forks have done that a join waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.check.paths.facts import Facts
from engine.check.steps import Steps, spread


class Alike(NamedTuple):
    """Wires of a node that takes all that fit which ask for the same: all of them are taken, or none.

    `others` is where its other wires lead.
    """

    fork: str
    targets: tuple[str, ...]
    others: tuple[str, ...]


class Joined:
    """Tells what joins add to what holds on every way to them.

    `certain` names where each node always leads: nothing where it chooses, None where it may leave
    no result; `alike` what else starts together. Raises `TooManySteps`, here and later, where the steps are used up.
    """

    def __init__(
        self,
        leads: Mapping[str, Sequence[str]],
        certain: Mapping[str, Sequence[str] | None],
        facts: Facts,
        entries: Sequence[str],
        steps: Steps,
        *,
        alike: Sequence[Alike] = (),
    ) -> None:
        self._facts, self._steps = facts, steps
        self._above = spread(facts.nodes, leads, facts.order, steps)
        back: dict[str, list[str]] = {name: [] for name in facts.order}
        for name, targets in certain.items():
            for target in targets or ():
                back[target].append(name)
        self._behind = spread(facts.nodes, back, facts.order[::-1], steps)
        self._targets = [self._bits(certain[name] or ()) for name in facts.order]
        self._closures = [self._closure(certain[name] or ()) for name in facts.order]
        self._kept = self._bits([name for name, to in certain.items() if to is not None])
        forks = [name for name, to in certain.items() if to and len(to) > 1]
        self._forks = self._bits(forks)
        self._entries = entries if len(entries) > 1 else ()
        bits = self._bits
        self._alike = [
            (facts.nodes[fork], bits(targets), self._closure(targets), bits(others))
            for fork, targets, others in alike
        ]

    def gained(self, join: str, found: int) -> int:
        """Return the bits that the branches a join waits for add to those on every way to it."""
        here = self._facts.nodes[join]
        above = self._above[join] & ~here
        walked = self._at_most(found)
        if walked & here and self._closures[here.bit_length() - 1] & above:
            walked = self._around(found, above)
        elif self._alike:
            walked |= self._taken_alike(found, above | here, here)
        walked &= above & self._kept
        new = 0
        self._steps.take(1 + (len(self._facts.keys) >> 3))
        for bit, writers in self._facts.keys if walked else ():
            if writers & walked:
                new |= bit
        return walked | new

    def _at_most(self, found: int) -> int:
        """Return the nodes that forks certainly start, also those that only the join starts."""
        walked = self._closure(self._entries)
        held = found & self._forks & ~walked
        while held:
            self._steps.take(1)
            walked |= self._closures[(held & -held).bit_length() - 1]
            held &= (held - 1) & ~walked
        return walked

    def _taken_alike(self, found: int, leads: int, here: int) -> int:
        """Return the nodes that wires alike start, where by no other wire of their node one gets here.

        A node that runs again behind the join may have taken others the time before: it tells nothing.
        """
        walked = 0
        self._steps.take(len(self._alike))
        for fork, targets, closure, others in self._alike:
            around = here & self._above[self._facts.order[fork.bit_length() - 1]]
            if found & fork and targets & leads and not others & leads and not around:
                walked |= closure
        return walked

    def _around(self, found: int, above: int) -> int:
        """Return the nodes that forks certainly start on ways that never leave `above`."""
        waiting = self._bits(self._entries) & above
        held = found & self._forks
        seen = 0
        while waiting or held:
            self._steps.take(1)
            if not waiting:
                waiting = self._targets[(held & -held).bit_length() - 1] & above & ~seen
                held &= held - 1
                continue
            low = waiting & -waiting
            seen |= low
            held &= ~low
            waiting = (waiting | (self._targets[low.bit_length() - 1] & above & ~seen)) & ~low
        return seen

    def _bits(self, names: Sequence[str]) -> int:
        found = 0
        for name in names:
            found |= self._facts.nodes[name]
        return found

    def _closure(self, names: Sequence[str]) -> int:
        found = 0
        for name in names:
            found |= self._behind[name]
        return found
