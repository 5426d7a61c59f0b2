"""What the simulated provider answers: whatever fits the schema, and at times what does not."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.core.node_types.conversation import ToolCall, Usage
from engine.core.values.json import freeze
from engine.integrations.models.chat import ChatRequest, ChatResponse

SCORES = (0.2, 0.6, 0.95)
WORDS = ("done", "tried", "one thing", "another")
FACTS = {"facts": [{"text": "It opens at nine.", "entities": ["shop"]}, {"text": "It is small."}]}


def reply(
    request: ChatRequest, usage: Usage, rng: Random, *, odd: bool, various: bool
) -> ChatResponse:
    """Return an answer to `request`; an `odd` one fits no schema, `various` ones differ."""
    prompt = next(m.content for m in request.messages if m.role == "user")
    told = any(m.role == "tool" for m in request.messages)
    if request.tools and not told:
        calls = tuple(
            ToolCall(f"c{n}", tool.name, {"order": f"{prompt}/{tool.name}" if n > 1 else prompt})
            for n, tool in enumerate(request.tools, 1)
        )
        return ChatResponse("", usage, tool_calls=calls, finish_reason="tool_calls")
    if request.schema is None:
        return ChatResponse(f"{rng.choice(WORDS) if various else 'did'} {prompt}"[:80], usage)
    value: Any = {"odd": True} if odd else _fitting(request.schema, rng)
    return ChatResponse("", usage, structured=freeze(value))


def _fitting(schema: Any, rng: Random) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for name, field in schema["properties"].items():
        if name == "next_node":
            said[name] = rng.choice(field["enum"])
        elif name == "peer_delegation":
            peers = field["properties"]["peer_node_id"]["enum"]
            if rng.random() < 0.6:
                said[name] = {"peer_node_id": rng.choice(peers), "reason": "it suits you"}
        elif name == "score":
            said[name] = rng.choice(SCORES)
        elif name == "facts":
            said |= FACTS
        else:
            said[name] = rng.choice(WORDS)
    return said
