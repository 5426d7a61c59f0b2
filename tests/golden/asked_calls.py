"""The recorded run whose agent wants calls that people decide on: one is edited, one refused."""

from __future__ import annotations

from typing import Any, Final

from engine.core.state.requests import Actor, Answer
from engine.runtime.mailbox import wishes
from tests.engine import posted
from tests.engine.lab import ANN, BOB, Lab

RULE: Final = {"when": "always", "editable": ["order"], "timeout_ms": 60_000}
DOCUMENT: Final[dict[str, Any]] = {
    "id": "main",
    "agents": [
        {
            "id": "ann",
            "max_output_tokens": 40,
            "tools": ["charge", "look", "mail"],
            "ask": {"charge": RULE, "mail": {"when": "first"}},
        }
    ],
    "nodes": [
        {
            "id": "buy",
            "type": "agent",
            "config": {"agent_id": "ann", "prompt": "Order", "frame": "bare"},
        }
    ],
    "edges": [
        {"source": "__start__", "target": "buy"},
        {"source": "buy", "target": "__end__"},
    ],
}


async def decided(lab: Lab) -> None:
    """Let one call be edited and approved, and the other one refused."""
    state = await lab.start()
    charge, mail = state.interrupts.values()
    await _say(lab, charge.request_id, ANN, decision="approved", edits={"order": "half"})
    await _say(lab, mail.request_id, BOB, decision="rejected", comment="no mail today")
    await lab.runner.settled("r")


async def _say(lab: Lab, request_id: str, actor: Actor, **said: Any) -> None:
    await posted.ask(lab.runner, "r", wishes.answer(request_id, Answer("", **said), actor))
    await lab.runner.settled("r")
