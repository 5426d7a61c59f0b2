"""A hand-over between the agents of a swarm: what may be said, and how it is told to both sides.

    {"peer_delegation": {"peer_node_id": "math_wiz", "reason": "a sum", "context": {"a": 1}}}

It stands beside the writes of an answer, and is split off before anything else looks at them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from engine.agents.conversation import parse_text
from engine.core.errors import NodeError
from engine.core.graph.document import GraphSpec
from engine.core.values.json import EMPTY, FrozenDict, JsonObject, as_text, freeze

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls
    from engine.agents.agent_config import AgentConfig

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


def peers_of(config: AgentConfig) -> tuple[str, ...]:
    """Return the nodes that an agent with this config may hand over to; () without a swarm."""
    return () if config.swarm is None else config.swarm.peer_nodes


def schema_with_handoff(schema: JsonObject, peers: Sequence[str]) -> JsonObject:
    """Return a schema whose answer may hand over instead of filling what is required.

    What it required is judged once it is known that the answer hands over to nobody.
    """
    known: Any = schema.get("properties") or {}
    properties = {**known, DELEGATION: _delegation_schema(peers)}
    return freeze({**schema, "properties": properties, "required": []})  # type: ignore[no-any-return]


def _delegation_schema(peers: Sequence[str]) -> JsonObject:
    return {
        "type": ["object", "null"],
        "description": "Only to hand over: who works next, why, and what it needs to know.",
        "properties": {
            "peer_node_id": {"type": "string", "enum": list(peers)},
            "reason": {"type": "string"},
            "context": {},
        },
        "required": ["peer_node_id"],
    }


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


def peers_section(spec: GraphSpec, peers: Sequence[str]) -> str:
    """Return what an agent is told about its peers, "" without any."""
    if not peers:
        return ""
    lines = [f"- {peer}: {about(spec, peer)}".rstrip(": ") for peer in peers]
    example = {DELEGATION: {"peer_node_id": peers[0], "reason": "why", "context": {}}}
    return "\n".join(
        [
            "## Peers",
            "Answer yourself, or hand over to one of these nodes if it suits the task better:",
            *lines,
            "To hand over, let your answer be one JSON object, with this beside what you write:",
            orjson.dumps(example).decode(),
        ]
    )


def about(spec: GraphSpec, node_id: str) -> str:
    """Return what the graph says about a node: its description, else its label."""
    node = spec.nodes_by_id.get(node_id)
    return "" if node is None else node.description or node.label


def handed_section(ctx: ActivationCalls) -> str:
    """Return what a peer is told about why it works now, "" for every other activation."""
    if not ctx.act.handoff:
        return ""
    handed = ctx.act.item
    lines = ["## Handed over to you", f"By: {handed['from']}"]
    if handed["reason"]:
        lines.append(f"Reason: {handed['reason']}")
    if handed["context"] not in (None, "", EMPTY):
        lines.append(f"Context: {as_text(handed['context'])}")
    return "\n".join(lines)
