"""A new run that goes on where another stopped: its log begins as the other's prefix.

What the prefix recorded is inherited and costs nothing again: spending, holds and open questions
stay with the run that had them. The new run has an id of its own, so effects after the point get
keys of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import RequestRefused
from engine.events import Event
from engine.requests import StartRun
from engine.state import RunState
from engine.values import FrozenDict

MONEY = ("tokens", "cost_usd", "hold", "usage")
NOT_INHERITED = frozenset(
    {
        "BudgetThresholdReached", "BudgetRaised", "DecisionRecorded", "DecisionDropped",
        "InterruptReminded", "InterruptEscalated",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """Where a new run goes on: the prefix ends before event `seq` of the old log."""

    run_id: str
    seq: int
    key: str


Emission = tuple[str, str | None, dict[str, Any]]
"""Type, key and data of an event that is about to be emitted."""


def retried(
    old: RunState, events: Sequence[Event], new_id: str, by: str
) -> tuple[StartRun, list[Emission]]:
    """Return the start of a run that goes on at the failed node of `old`, and its first events.

    Raises `RequestRefused` `RunNotRetryable`.
    """
    if old.status not in ("failed", "timeout"):
        raise RequestRefused("RunNotRetryable", "only a run that failed can be retried")
    point = failed_point(old.run_id, events)
    started = restarted(old.started, new_id, point, by)
    start = StartRun(
        run_id=new_id,
        graph_id=old.started["graph_id"],
        version_id=old.started.get("version_id"),
        workspace_id=old.started.get("workspace_id"),
        started_by=by,
    )
    return start, inherited(events, point, started)


def failed_point(run_id: str, events: Sequence[Event]) -> ForkPoint:
    """Return the start of the activation that ended the run.

    Raises `RequestRefused` `RunNotRetryable` where no node ended it, such as after a cancel, or
    where undo steps ran since.
    """
    if any(event.type == "CompensationRun" for event in events):
        raise RequestRefused("RunNotRetryable", "its steps were undone: start it anew")
    failed = next(
        (e for e in reversed(events) if e.type == "NodeFailed" and not e.data["edges"]), None
    )
    key = None if failed is None else (failed.key or "").split("/", 1)[0]
    if key is None:
        raise RequestRefused("RunNotRetryable", "no failed node ended this run")
    started = next(e for e in events if e.key == key and e.type in ("NodeQueued", "NodeStarted"))
    return ForkPoint(run_id, started.seq, key)


def inherited(events: Sequence[Event], point: ForkPoint, started: dict[str, Any]) -> list[Emission]:
    """Return what the new log begins with: (type, key, data) of each event, `started` the first.

    Calls that were open at the point are left out: nobody in the new run made them.
    """
    prefix = [event for event in events if event.seq < point.seq]
    open_steps = _open_steps(prefix)
    out: list[Emission] = [("RunStarted", None, started)]
    for event in prefix[1:]:
        if event.type in NOT_INHERITED:
            continue
        if event.type == "StepIntended" and _place(event) in open_steps:
            continue
        paid = MONEY if event.type.startswith("Step") else ()
        data = {k: v for k, v in event.data.items() if k not in paid and k != "cause"}
        if event.type in ("InterruptOpened", "InterruptResolved"):
            data["request_id"] = f"{data['request_id']}.{started['context']['run_id'][:8]}"
        out.append((event.type, event.key, data))
    return out


def _place(event: Event) -> tuple[str | None, int, str]:
    return (event.key, event.data["attempt"], event.data["path"])


def _open_steps(prefix: Sequence[Event]) -> set[tuple[str | None, int, str]]:
    places: set[tuple[str | None, int, str]] = set()
    for event in prefix:
        if event.type == "StepIntended":
            places.add(_place(event))
        elif event.type in ("StepCompleted", "StepFailed"):
            places.discard(_place(event))
    return places


def restarted(old: FrozenDict, run_id: str, point: ForkPoint, by: str | None) -> dict[str, Any]:
    """Return the new run's `RunStarted`: the old one's, in its own name, linked to the old run."""
    data = {k: v for k, v in old.items() if k not in ("cause", "parent", "seq")}
    return {
        **data,
        "context": FrozenDict({**old["context"], "run_id": run_id}),
        "parent": None,
        "started_by": by,
        "forked_from": FrozenDict({"run_id": point.run_id, "seq": point.seq}),
    }
