"""What a recorded log is: its file, its events as they were, and what a state shows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from engine.core.graph.document import parse_document
from engine.core.state.events import Event
from engine.core.state.fold.run import evolve, new_state
from engine.core.state.program import Program
from engine.core.state.run_state import RunState
from engine.core.state.wire import encode_event
from engine.core.values.json import freeze, thaw
from engine.local import LocalGraphs
from tests.golden.node_types import node_types

FOLDER = Path(__file__).parents[1] / "fixtures" / "recorded"
HEAD = ("seq", "type", "at", "node", "key")


def recorded(
    name: str, description: str, document: dict[str, Any], events: Sequence[Event]
) -> dict[str, Any]:
    """Return the file of a log."""
    wire = [orjson.loads(encode_event(event)) for event in events]
    return {
        "name": name,
        "description": description,
        "document": document,
        "events": wire,
        "states": states(document, [event_of(each) for each in wire]),
    }


def written(log: dict[str, Any]) -> str:
    """Return a log as its file holds it."""
    return json.dumps(log, indent=1, ensure_ascii=False) + "\n"


def event_of(wire: dict[str, Any]) -> Event:
    """Return the event that stands behind a flat one."""
    at = round(datetime.fromisoformat(wire["at"]).timestamp() * 1000)
    left_out = HEAD if "key" in wire else HEAD[:3]
    data = {name: value for name, value in wire.items() if name not in left_out}
    return Event(wire["seq"], wire["type"], at, wire.get("key"), freeze(data))


def program_of(document: dict[str, Any]) -> Program:
    """Return a recorded graph, ready to run."""
    spec, problems = parse_document(thaw(document))
    assert spec is not None, problems
    return LocalGraphs((spec,), node_types()).program_of(spec)


def states(document: dict[str, Any], events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return what the engine's fold shows whenever time goes on: transitions are over then."""
    state = new_state(program_of(document))
    found = []
    for event, after in zip(events, [*events[1:], None], strict=True):
        evolve(state, event)
        if after is None or after.at != event.at:
            found.append(shown(state))
    return found


def shown(state: RunState) -> dict[str, Any]:
    """Return what both folds know of a run, in one form."""
    tops = {key: visit for key, visit in state.visits.items() if "/" not in key}
    return {
        "seq": state.seq,
        "status": state.status,
        "live": {key: act.status for key, act in sorted(state.activations.items())},
        "attempts": {key: act.attempt for key, act in sorted(state.activations.items())},
        "visits": dict(sorted(tops.items())),
        "outputs": thaw(state.outputs),
        "memory": thaw(state.memory),
        "spend": {
            "usd": _usd(state.spent_usd),
            "tokens": state.spent_tokens,
            "held_usd": _usd(state.held_usd),
            "held_tokens": state.held_tokens,
        },
        "open": sorted(state.interrupts),
        "resolved": {key: each["outcome"] for key, each in sorted(state.resolved.items())},
        "messages": [each["content"] for each in state.messages],
        "ui": thaw(state.structured),
        "agents": sorted(state.agents),
        "ending": state.ending and state.ending.status,
        "error": state.error and state.error["code"],
        "result": thaw(state.result),
        "ended_at": state.ended_at,
    }


def _usd(amount: Any) -> str:
    return format(amount.normalize(), "f")
