"""What the cards of a draft say about a run that is looked at: changed since, built on a change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.runtime.forks.stale.compare import Compared
from engine.runtime.forks.stale.left import Left, Why

_RANK: Final[Mapping[Why, int]] = {"changed": 2, "failed": 1, "reads": 0}


@dataclass(frozen=True, slots=True)
class Mark:
    """One node: `what` of its own definition changed, `of` are the nodes that it builds on."""

    node: str
    why: Why
    what: tuple[str, ...]
    of: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the form that the API sends."""
        return {"node": self.node, "why": self.why, "what": list(self.what), "of": list(self.of)}


def marks(
    compared: Compared, known: frozenset[str], pinned: Collection[str] = ()
) -> tuple[Mark, ...]:
    """Return the marks of the `known` nodes: those that ran and do not hold, and new ones.

    A `pinned` node builds on nothing: what stands behind it is told of what stands before it.
    """
    worst: dict[str, Left] = {
        node: Left("changed", parts=("new",))
        for node, parts in compared.changes.items()
        if parts == ("new",)
    }
    for key, left in compared.left.items():
        node = compared.blocks[key].node
        if left.why not in _RANK or node not in known:
            continue
        before = worst.get(node)
        if before is None or _RANK[left.why] > _RANK[before.why]:
            worst[node] = left
        elif before.why == left.why:
            worst[node] = Left(before.why, before.of | left.of, before.parts or left.parts)
        for inner in left.of if left.why == "reads" else ():
            if inner in compared.changes and inner in compared.blocks[key].nodes:
                worst.setdefault(inner, Left("changed", parts=compared.changes[inner]))
    through = {n: left.of for n, left in worst.items() if n in pinned and left.why == "reads"}
    return tuple(
        Mark(node, left.why, left.parts, tuple(sorted(_beyond(left.of, through) - {node})))
        for node, left in sorted(worst.items())
        if node not in through
    )


def _beyond(of: frozenset[str], through: Mapping[str, frozenset[str]]) -> set[str]:
    """Return nodes, with what some of them build on in their place."""
    found: dict[str, None] = dict.fromkeys(of)
    waiting = list(of)
    while waiting:
        new = through.get(waiting.pop(), frozenset()) - found.keys()
        found.update(dict.fromkeys(new))
        waiting += new
    return found.keys() - through.keys()
