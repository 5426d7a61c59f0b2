"""A new run that goes on where another stopped: its log begins as the other's prefix.

What the prefix recorded is inherited and costs nothing again: spending, holds and open questions
stay with the run that had them. The new run has an id of its own, so effects after the point get
keys of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.decide.begin.trials import refuse_published
from engine.core.decide.start import checked_input
from engine.core.errors import RequestRefused
from engine.core.node_types.node_type import UNSET
from engine.core.state.events import Event
from engine.core.state.program import Program
from engine.core.state.requests import ForkRun, StartRun
from engine.core.state.run_state import RunState
from engine.core.values.json import FrozenDict, FrozenList, InvalidJson, freeze
from engine.runtime.forks.points import ForkPoint, before_approval, before_undone, point_at
from engine.runtime.forks.remap import remapped
from engine.runtime.forks.retry import retry_point

MONEY = ("tokens", "cost_usd", "hold", "usage")
NOT_INHERITED = frozenset(
    {
        "BudgetThresholdReached",
        "BudgetRaised",
        "DecisionRecorded",
        "DecisionDropped",
        "InterruptReminded",
        "InterruptEscalated",
        "InterruptAskedBack",
        "InterruptAnsweredBack",
        "RunQueued",
        "RunAdmitted",
    }
)
MOMENTS = ("expires_at", "until", "retry_at")
"""Fields that hold a moment; what was left of them when they were set is left again."""

Emission = tuple[str, str | None, dict[str, Any]]
"""Type, key and data of an event that is about to be emitted."""


def retried(
    old: RunState, events: Sequence[Event], new_id: str, by: str, now: int
) -> tuple[StartRun, list[Emission]]:
    """Return the start of a run that goes on at the failed node of `old`, and its first events.

    Raises `RequestRefused` `RunNotRetryable`.
    """
    require_failed(old)
    point, beside = retry_point(old.run_id, events)
    started = restarted(old.started, new_id, point, by)
    started["retry"] = True
    return start_of(old, new_id, by, None), inherited(events, point, started, now, beside=beside)


def require_failed(old: RunState) -> None:
    """Raise `RequestRefused` `RunNotRetryable` for a run that did not fail."""
    if old.status not in ("failed", "timeout"):
        raise RequestRefused("RunNotRetryable", "only a run that failed can be retried")


def require_ended(old: RunState) -> None:
    """Raise `RequestRefused` `RunNotEnded` for a run that is under way."""
    if not old.terminal:
        raise RequestRefused("RunNotEnded", "the run is under way: wait for its end, or cancel it")


def forked(
    old: RunState, events: Sequence[Event], request: ForkRun, program: Program, now: int
) -> tuple[StartRun, list[Emission]]:
    """Return the start of a run that goes on at a point of `old` with changes, and its events.

    Raises `RequestRefused`: `RunNotEnded`, `ForkPointNotFound`, `ForkAfterUndo`,
    `ForkAfterApproval`, `ForkNotPossible`, `InputInvalid`.
    """
    point = fork_point(old, events, request)
    started = restarted(old.started, request.run_id, point, request.by)
    _as_trial(started, request, program)
    if request.at is None:
        started["retry"] = True
    if request.input is not UNSET:
        started["input"] = _frozen(request.input, "input")
        started["input"] = checked_input(program.spec, started["input"])
    if request.version_id is not None:
        started["version_id"] = request.version_id
    if program is not old.program:
        started["graph_hash"] = program.spec.hash
        started["people"] = _frozen({k: list(v) for k, v in request.people.items()}, "people")
    kept_undos = old.status != "completed"
    prefix = inherited(events, point, started, now, undos=kept_undos)
    if program is not old.program:
        prefix = remapped(prefix, old.program, program)
    if request.memory:
        prefix.append(("MemoryEdited", None, _edited(program, request)))
    return start_of(old, request.run_id, request.by, request.version_id), prefix


def _as_trial(started: dict[str, Any], request: ForkRun, program: Program) -> None:
    """Let a fork keep of a test run what still holds: pins and breakpoints of nodes that are there.

    Whoever forks a run wants it to go on. Raises `RequestRefused` `TestOnly` for a published
    version, `ForkNotPossible` where a single node was run and another point is asked for.
    """
    started.pop("until", None)
    if started.get("only") is not None and request.at is not None:
        raise RequestRefused("ForkNotPossible", "the run tried one node alone: run that again")
    known = program.spec.nodes_by_id
    for name, keep in (("pins", FrozenDict), ("breakpoints", FrozenList)):
        if name in started:
            kept = [node for node in started[name] if node in known]
            started[name] = keep(
                {n: started[name][n] for n in kept} if keep is FrozenDict else kept
            )
    asked = (started.get(name) for name in ("only", "pins", "breakpoints"))
    refuse_published(request.published, *asked)


def fork_point(old: RunState, events: Sequence[Event], request: ForkRun) -> ForkPoint:
    """Return where the request starts. Raises `RequestRefused` where that is not allowed."""
    require_ended(old)
    if request.at is None:
        point = retry_point(old.run_id, events)[0]
    else:
        point = point_at(old.run_id, events, request.at)
    undone = before_undone(old.run_id, events)
    if undone is not None and undone.seq < point.seq:
        raise RequestRefused(
            "ForkAfterUndo",
            f"what {undone.key} did was undone: start there or before",
            detail={"earliest": undone.to_json()},
        )
    approval = before_approval(old.run_id, events, point) if request.changes else None
    if approval is not None:
        raise RequestRefused(
            "ForkAfterApproval",
            f"{approval.key} approved something else: with changes, start there or before",
            detail={"earliest": approval.to_json()},
        )
    return point


def start_of(old: RunState, new_id: str, by: str | None, version_id: str | None) -> StartRun:
    """Return the start of a run that goes on from `old`, in the name of `by`."""
    return StartRun(
        run_id=new_id,
        graph_id=old.started["graph_id"],
        version_id=version_id or old.started.get("version_id"),
        workspace_id=old.started.get("workspace_id"),
        started_by=by,
    )


def _frozen(value: object, name: str) -> Any:
    try:
        return freeze(value, name)
    except InvalidJson as error:
        raise RequestRefused("InputInvalid", str(error)) from error


def _edited(program: Program, request: ForkRun) -> dict[str, Any]:
    """Return the data of `MemoryEdited`. Raises `RequestRefused` `InputInvalid`."""
    memory: Mapping[str, Any] = _frozen(dict(request.memory or {}), "memory")
    for key, value in memory.items():
        if key.startswith("_"):
            raise RequestRefused("InputInvalid", f"memory.{key}: names with `_` are reserved")
        problem = None if value is None else program.schema_problem(key, value)
        if problem is not None:
            raise RequestRefused("InputInvalid", f"memory.{key}: {problem}")
    return {
        "set": FrozenDict({k: v for k, v in memory.items() if v is not None}),
        "removed": [key for key, value in memory.items() if value is None],
        "by": request.by,
    }


def inherited(
    events: Sequence[Event],
    point: ForkPoint,
    started: dict[str, Any],
    now: int,
    *,
    undos: bool = True,
    beside: frozenset[int] = frozenset(),
) -> list[Emission]:
    """Return what the new log begins with: (type, key, data) of each event, `started` the first.

    Calls and child runs that were open at the point are left out: nobody in the new run made
    them. Without `undos` what the old run did stays done when the new one fails. `beside` are the
    seqs from the point on that are inherited too.
    """
    prefix = [event for event in events if event.seq < point.seq or event.seq in beside]
    open_steps, open_runs = _open_steps(prefix), _open_runs(prefix)
    out: list[Emission] = [("RunStarted", None, started)]
    for event in prefix[1:]:
        if event.type in NOT_INHERITED or _is_of(event, open_steps, open_runs):
            continue
        left_out = {"cause", *(MONEY if event.type.startswith("Step") else ())}
        if not undos:
            left_out |= {"undo", "compensations"}
        data = {k: v for k, v in event.data.items() if k not in left_out}
        for name in MOMENTS:
            if isinstance(data.get(name), int):
                data[name] += now - event.at
        if event.type in ("InterruptOpened", "InterruptResolved"):
            data["request_id"] = f"{data['request_id']}.{started['context']['run_id'][:8]}"
        out.append((event.type, event.key, data))
    return out


Place = tuple[str | None, int, str]


def _place(event: Event) -> Place:
    return (event.key, event.data["attempt"], event.data["path"])


def _open_steps(prefix: Sequence[Event]) -> set[Place]:
    places: set[Place] = set()
    for event in prefix:
        if event.type == "StepIntended":
            places.add(_place(event))
        elif event.type in ("StepCompleted", "StepFailed"):
            places.discard(_place(event))
    return places


def _open_runs(prefix: Sequence[Event]) -> dict[str, tuple[str | None, str]]:
    """Return the child runs that had not ended: run id → activation and step that wait for it."""
    found: dict[str, tuple[str | None, str]] = {}
    for event in prefix:
        if event.type == "ChildRunRequested":
            found[event.data["run_id"]] = (event.key, event.data["path"])
        elif event.type == "ChildRunEnded":
            found.pop(event.data["run_id"], None)
    return found


def _is_of(
    event: Event, open_steps: set[Place], open_runs: Mapping[str, tuple[str | None, str]]
) -> bool:
    """Return whether the event is of a call or child run that nobody in the new run made."""
    if event.type == "StepIntended":
        return _place(event) in open_steps
    if event.type in ("ChildRunRequested", "ChildRunWaiting"):
        return event.data["run_id"] in open_runs
    return (
        event.type == "NodeWaiting"
        and event.data["on"] == "run"
        and (event.key, event.data["path"]) in open_runs.values()
    )


def restarted(old: FrozenDict, run_id: str, point: ForkPoint, by: str | None) -> dict[str, Any]:
    """Return the new run's `RunStarted`: the old one's, in its own name, linked to the old run."""
    data = {k: v for k, v in old.items() if k not in ("cause", "parent", "seq", "retry")}
    return {
        **data,
        "context": FrozenDict({**old["context"], "run_id": run_id}),
        "parent": None,
        "started_by": by,
        "forked_from": FrozenDict({"run_id": point.run_id, "seq": point.seq}),
    }
