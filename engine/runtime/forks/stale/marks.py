"""What the cards of a draft say about a run that is looked at: changed since, built on a change."""

from __future__ import annotations

from collections.abc import Mapping
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


def marks(compared: Compared, known: frozenset[str]) -> tuple[Mark, ...]:
    """Return the marks of the `known` nodes: those that ran and do not hold, and new ones."""
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
    return tuple(
        Mark(node, left.why, left.parts, tuple(sorted(left.of - {node})))
        for node, left in sorted(worst.items())
    )
