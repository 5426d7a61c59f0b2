"""Agents whose calls people decide on before they are sent, and what must be true of them."""

from __future__ import annotations

from typing import Any

from engine.core.people.asked_calls import TOOL_CALL, call_hash
from engine.core.state.events import Event
from tests.simulation.graphs import agent, graph

ASKS: dict[str, Any] = {
    "charge": {"when": "always", "editable": ["order"], "timeout_ms": 120_000},
    "mail": {"when": "first", "timeout_ms": 120_000},
}

ASKED = graph(
    "asked",
    [agent("buy"), agent("again"), agent("beside")],
    "__start__ > buy",
    "__start__ > beside",
    "buy > again",
    "again > __end__",
    "beside > __end__",
    agents=[
        {
            "id": "buyer",
            "tools": ["charge", "look", "mail"],
            "max_output_tokens": 40,
            "ask": ASKS,
        }
    ],
)
"""Two calls that are asked about and one that is not, in each answer of three agents."""


def sent_unasked(log: list[Event], intended: Event) -> str | None:
    """Return what is wrong with a call that is about to be sent; None if people let it."""
    tool, arguments = intended.data.get("tool"), intended.data.get("arguments")
    rule = ASKS.get(str(tool))
    if rule is None:
        return None
    asked = {
        event.data["request_id"]: event.data["request"]
        for event in log
        if event.type == "InterruptOpened"
        and event.data["request"].get("approval_type") == TOOL_CALL
        and event.data["request"]["tool"].endswith(f"/{tool}")
    }
    approved = [
        event
        for event in log
        if event.type == "InterruptResolved"
        and event.data["request_id"] in asked
        and event.data.get("decision") == "approved"
    ]
    for event in approved:
        request = asked[event.data["request_id"]]
        bound = call_hash(request["tool"], request["definition"], arguments)
        if event.key == intended.key and event.data["content_hash"] == bound:
            return None
    if rule["when"] == "first" and approved:
        return None
    return f"{tool} of {arguments} is sent, and nobody has approved that"
