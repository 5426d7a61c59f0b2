"""A hand-over between the agents of a swarm: what an answer may say, and what it then means.

    {"peer_delegation": {"peer_node_id": "math_wiz", "reason": "a sum", "context": {"a": 1}}}

It stands beside the writes of an answer, and is split off before anything else looks at them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.agents.conversation import parse_text
from engine.core.errors import NodeError
from engine.core.values.json import FrozenDict, as_text, freeze

DELEGATION = "peer_delegation"


@dataclass(frozen=True, slots=True)
class Handoff:
    """Who works next, and what it is told."""

    peer: str
    reason: str
    context: Any

    def to_json(self) -> FrozenDict:
        """Return it as a child keeps it and its parent finds it."""
        return freeze({"peer": self.peer, "reason": self.reason, "context": self.context})  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Handoff:
        """Return what `to_json` wrote."""
        return cls(data["peer"], data["reason"], data["context"])


def handoff_in(value: object, peers: Sequence[str]) -> Handoff | None:
    """Return the hand-over in an answer, None without one.

    Raises `NodeError`: `UndeclaredTarget` for a node that is no peer (row C132),
    `ResultSchemaMismatch` for a hand-over that names nobody.
    """
    said = value.get(DELEGATION) if isinstance(value, Mapping) else None
    if said is None:
        return None
    peer = said.get("peer_node_id") if isinstance(said, Mapping) else None
    if not isinstance(peer, str):
        raise NodeError("ResultSchemaMismatch", f"{DELEGATION} names no peer_node_id")
    if peer not in peers:
        raise NodeError("UndeclaredTarget", f"{peer!r} is no peer; there are {list(peers)}")
    return Handoff(peer, as_text(said.get("reason") or ""), said.get("context"))


def parsed(value: object) -> Any:
    """Return a text answer that holds a hand-over as the object it stands for."""
    found = parse_text(value) if isinstance(value, str) and DELEGATION in value else None
    return freeze(found) if isinstance(found, dict) and DELEGATION in found else value


def without_handoff(value: object) -> Any:
    """Return an answer without its hand-over."""
    if not isinstance(value, Mapping) or DELEGATION not in value:
        return value
    return FrozenDict({key: item for key, item in value.items() if key != DELEGATION})
