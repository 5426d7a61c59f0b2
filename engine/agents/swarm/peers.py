"""The peers of an agent: who they are, what it is told about them, and how it may name one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import orjson

from engine.core.graph.document import GraphSpec
from engine.core.values.json import EMPTY, JsonObject, as_text, freeze

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls
    from engine.agents.agent_config import AgentConfig
from engine.agents.swarm.handoff import DELEGATION


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
