"""Where a run can be gone on from: the starts of its activations, and what forbids later ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.core.errors import RequestRefused
from engine.core.state.events import Event, node_of

STARTS: Final = frozenset({"NodeQueued", "NodeStarted", "NodeSkipped"})
_UNDO: Final = re.compile(r"\[undo\d+\](?=#)")


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """Where a new run goes on: the prefix ends before event `seq`, where `key` began."""

    run_id: str
    seq: int
    key: str

    def to_json(self) -> dict[str, Any]:
        """Return the form that the API sends."""
        return {"seq": self.seq, "key": self.key, "node": node_of(self.key)}


def top(key: str | None) -> str:
    """Return the activation around all: `mapper#1/worker[0]#1` → `mapper#1`."""
    return (key or "").split("/", 1)[0]


def points(run_id: str, events: Sequence[Event]) -> Iterator[ForkPoint]:
    """Yield the start of each activation that a token started, in order; undos are none."""
    seen: set[str] = set()
    for event in events:
        if event.type == "RunEnding":
            return
        key = event.key or ""
        if event.type in STARTS and "/" not in key and key not in seen:
            seen.add(key)
            yield ForkPoint(run_id, event.seq, key)


def point_at(run_id: str, events: Sequence[Event], at: int | str) -> ForkPoint:
    """Return the point of an activation key, or the last one that began at or before a seq.

    A node id means its first activation, a child's key the activation around it. Raises
    `RequestRefused` `ForkPointNotFound`.
    """
    found = list(points(run_id, events))
    if isinstance(at, int):
        matching = [point for point in found if point.seq <= at][-1:] or found[:1]
    else:
        wanted = top(at)
        matching = [p for p in found if wanted in (p.key, node_of(p.key))][:1]
    if not matching:
        raise RequestRefused("ForkPointNotFound", f"no activation of the run began at {at!r}")
    return matching[0]


def before_approval(run_id: str, events: Sequence[Event], point: ForkPoint) -> ForkPoint | None:
    """Return the start of the first approval that was given before `point`, None without one."""
    for event in events:
        if event.seq >= point.seq:
            return None
        if event.type == "InterruptResolved" and event.data.get("decision") == "approved":
            return point_at(run_id, events, event.key or "")
    return None


def before_undone(run_id: str, events: Sequence[Event]) -> ForkPoint | None:
    """Return the start of the first activation whose effect was taken back, None without one.

    Raises `RequestRefused` `ForkPointNotFound` where the undo is of another run's activation.
    """
    undone = undone_keys(events)
    found = [point for point in points(run_id, events) if point.key in undone]
    if len(found) < len(undone):
        raise RequestRefused("ForkPointNotFound", "what was undone is not of this run: start anew")
    return min(found, key=lambda point: point.seq, default=None)


def undone_keys(events: Sequence[Event]) -> set[str]:
    """Return the activations whose effect was taken back."""
    return {
        top(_UNDO.sub("", event.key or ""))
        for event in events
        if event.type == "CompensationRun" and event.data["ok"]
    }
