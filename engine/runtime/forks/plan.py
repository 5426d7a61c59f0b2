"""What a fork would inherit, do again and send again: shown before it is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from engine.core.budgets.money import usd_text
from engine.core.state.events import Event, node_of
from engine.runtime.forks.points import ForkPoint, before_approval, points, top
from engine.runtime.forks.resent import Resent, resent
from engine.runtime.forks.stale.marks import Mark

_ENDS: Final[Mapping[str, str]] = {
    "NodeCompleted": "completed",
    "NodeFailed": "failed",
    "NodeSkipped": "skipped",
    "NodeCancelled": "cancelled",
}


@dataclass(slots=True)
class ForkedNode:
    """An activation of the old run with what it cost, its children included."""

    key: str
    status: str = "running"
    tokens: int = 0
    usd: Decimal = Decimal(0)

    def to_json(self) -> dict[str, Any]:
        """Return the form that the API sends."""
        return {
            "key": self.key,
            "node": node_of(self.key),
            "status": self.status,
            "tokens": self.tokens,
            "usd": usd_text(self.usd),
        }


@dataclass(frozen=True, slots=True)
class ForkPlan:
    """What happens if a run goes on at a point.

    `reused` cost nothing again; `again` is what ran from the point on in the old run; `resent`
    are its calls that would change something outside again. `earliest` is where a fork with
    changes must start at the latest, None where every point up to here will do. Of a run of what is
    stale: `stale` are the marks of nodes, `asks` the approvals that ask again, and `waiting` says
    whether it comes to a node that never ran.
    """

    point: ForkPoint
    reused: tuple[ForkedNode, ...]
    again: tuple[ForkedNode, ...]
    resent: tuple[Resent, ...]
    earliest: ForkPoint | None
    points: tuple[ForkPoint, ...] = field(default=())
    stale: tuple[Mark, ...] = ()
    asks: tuple[str, ...] = ()
    waiting: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the form that the API sends."""
        return {
            "from": self.point.to_json(),
            "reused": [node.to_json() for node in self.reused],
            "again": [node.to_json() for node in self.again],
            "resent": [call.to_json() for call in self.resent],
            "earliest_with_changes": None if self.earliest is None else self.earliest.to_json(),
            "points": [point.to_json() for point in self.points],
            "stale": [mark.to_json() for mark in self.stale],
            "asks": list(self.asks),
            "waiting": self.waiting,
        }


def plan(
    run_id: str,
    events: Sequence[Event],
    point: ForkPoint,
    children: Iterable[Resent] = (),
    beside: frozenset[int] = frozenset(),
) -> ForkPlan:
    """Return what a fork at `point` does; `children` are the calls of child runs that run again.

    `beside` are the seqs from the point on that are inherited too.
    """
    nodes = _forked_nodes(events)
    begun = {found.key: found.seq for found in points(run_id, events)}
    done = {key for key, seq in _ends(events).items() if seq < point.seq or seq in beside}
    reused = tuple(nodes[key] for key in begun if key in done)
    again = tuple(nodes[key] for key in begun if key not in done)
    return ForkPlan(
        point,
        reused,
        again,
        (*resent(run_id, events, point.seq, beside), *children),
        before_approval(run_id, events, point),
        tuple(points(run_id, events)),
    )


def _ends(events: Sequence[Event]) -> dict[str, int]:
    return {event.key: event.seq for event in events if event.key and event.type in _ENDS}


def _forked_nodes(events: Sequence[Event]) -> dict[str, ForkedNode]:
    nodes: dict[str, ForkedNode] = {}
    for event in events:
        if event.key is None:
            continue
        node = nodes.setdefault(top(event.key), ForkedNode(top(event.key)))
        if event.type in ("StepCompleted", "StepFailed", "ChildRunEnded"):
            node.tokens += event.data.get("tokens") or 0
            node.usd += Decimal(event.data.get("cost_usd") or 0)
        if event.type in _ENDS and event.key == node.key:
            node.status = _ENDS[event.type]
    return nodes


def runs_below(
    events: Sequence[Event], seq: int, beside: frozenset[int] = frozenset()
) -> list[str]:
    """Return the child runs that would run again: those that had not ended at `seq`."""
    asked = {e.data["run_id"]: e.seq for e in events if e.type == "ChildRunRequested"}
    over = {e.data["run_id"]: e.seq for e in events if e.type == "ChildRunEnded"}
    ended = {run_id for run_id, at in over.items() if at < seq or at in beside}
    return [run_id for run_id in asked if run_id not in ended]
