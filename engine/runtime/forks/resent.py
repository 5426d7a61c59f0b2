"""Calls that a fork would make again although they change something outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.core.state.events import Event, node_of
from engine.runtime.execution.calls import UNREPEATABLE

_RESENT: Final = frozenset(effect.value for effect in UNREPEATABLE)


@dataclass(frozen=True, slots=True)
class Resent:
    """A call that changes something outside and would be made again. `run_id`: who made it."""

    run_id: str
    key: str
    tool: str
    effect_class: str
    arguments: Any
    outcome: str

    def to_json(self) -> dict[str, Any]:
        """Return the form that the API sends."""
        return {
            "run": self.run_id,
            "key": self.key,
            "node": node_of(self.key),
            "tool": self.tool,
            "effect_class": self.effect_class,
            "arguments": self.arguments,
            "outcome": self.outcome,
        }


def resent(
    run_id: str, events: Sequence[Event], seq: int, beside: frozenset[int] = frozenset()
) -> tuple[Resent, ...]:
    """Return the calls that change something outside and were under way at `seq` or made later.

    What `beside` (seqs from there on) inherits is not made again.
    """
    found: dict[tuple[str | None, str], Event] = {}
    ended: dict[tuple[str | None, str], tuple[int, str]] = {}
    for event in events:
        if event.type == "CompensationStarted":
            break
        if event.type == "StepIntended" and event.data["effect_class"] in _RESENT:
            found[(event.key, event.data["path"])] = event
        elif event.type in ("StepCompleted", "StepFailed"):
            outcome = "completed" if event.type == "StepCompleted" else "failed"
            ended[(event.key, event.data["path"])] = (event.seq, outcome)
    calls = []
    for place, event in found.items():
        at, outcome = ended.get(place, (None, "unknown"))
        kept = at is not None and (at < seq or (at in beside and outcome == "completed"))
        if event.data["kind"] != "memory" and not kept:
            calls.append(_call(run_id, event, outcome))
    return tuple(calls)


def _call(run_id: str, event: Event, outcome: str) -> Resent:
    data = event.data
    return Resent(
        run_id,
        event.key or "",
        str(data.get("tool") or data["kind"]),
        str(data["effect_class"]),
        data.get("arguments", data.get("request")),
        outcome,
    )
