"""How much work a check may take: counted in steps, so that it is the same on each machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.core.graph.problems import Problem

LIMIT: Final = 5_000_000
"""Steps of one analysis; a document of 2,000 nodes and 5,000 edges takes about a tenth."""


class TooManySteps(Exception):
    """An analysis would take more steps than it may."""


class Steps:
    """The steps that an analysis has left."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._left = limit

    def take(self, count: int) -> None:
        """Take some steps. Raises `TooManySteps` where they are used up."""
        self._left -= count
        if self._left < 0:
            raise TooManySteps


def too_many(what: str) -> Problem:
    """Return the problem that says what could not be found out."""
    message = (
        f"The graph is too entangled to tell {what}."
        " Draw fewer edges between its nodes, or move a part of it to a graph of its own."
    )
    return Problem.of("TooEntangled", "edges", message)


def spread(
    starts: Mapping[str, int],
    leads: Mapping[str, Sequence[str]],
    order: Sequence[str],
    steps: Steps,
    ends: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Return the bits that reach each node from `starts`; `ends` are cut off behind a node.

    `order` holds all nodes, best those first that lead to the others. Raises `TooManySteps`.
    """
    found = {name: starts.get(name, 0) for name in leads}
    waiting = {name for name, bits in found.items() if bits}
    while waiting:
        steps.take(len(order) >> 4)
        for name in order:
            if name not in waiting:
                continue
            waiting.discard(name)
            bits = found[name] & ~ends.get(name, 0) if ends else found[name]
            steps.take(1 + len(leads[name]) * (1 + (bits.bit_length() >> 12)))
            for target in leads[name]:
                if bits & ~found[target]:
                    found[target] |= bits
                    waiting.add(target)
    return found
