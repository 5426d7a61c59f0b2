"""The part of the fold that concerns waiting: children, timers, child runs, doubt."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from engine.core.effects import MADE_ONCE
from engine.core.state.events import Event, node_of
from engine.core.state.fold.steps import apply_writes
from engine.core.state.run_state import (
    Activation,
    ChildGroup,
    Compensation,
    NodeSpend,
    RunState,
    Step,
)

WAITS = (("sleep", "timer"), ("child_run", "run"), ("children", "children"))
"""What steps of a kind wait on, what the engine itself moves first."""


def wake(state: RunState, act: Activation) -> None:
    """Put a waiting activation in line; its code runs again from its top."""
    was = act.busy
    if act.status != "queued":
        state.runnable.append(act.key)
    act.status, act.waiting_on = "queued", None
    state.busy += act.busy - was
    state.dirty.add(act.key)


def stir(state: RunState, act: Activation) -> None:
    """A wait of `act` is over: wake it if it is suspended, else once it suspends."""
    if state.ending or act.expired or act.status in ("queued", "retrying", "in_doubt"):
        return
    if act.waiting_on is None:
        act.rerun_requested = True
    else:
        wake(state, act)


def sleep_timer(key: str, path: str) -> str:
    """Return the name of the timer row of one sleep."""
    return f"sleep:{key}|{path}"


def drop_sleeps(state: RunState, act: Activation) -> None:
    """Forget the sleeps of an attempt that is over."""
    for step in act.steps.values():
        if step.kind == "sleep" and step.status == "waiting":
            state.timers.pop(sleep_timer(act.key, step.path), None)


def leave_line(state: RunState, act: Activation) -> None:
    """Take an activation out of the line of those that are queued, if it stands there."""
    if act.status == "queued" and act.key in state.runnable:
        state.runnable.remove(act.key)


def node_waiting(state: RunState, event: Event) -> None:
    """Suspend an activation: on people, children, a timer or a child run."""
    act = state.activations[event.key]  # type: ignore[index]
    was = act.busy
    leave_line(state, act)
    path = event.data["path"]
    if event.data["on"] == "timer":
        act.steps[(act.attempt, path)] = Step(
            path, act.attempt, "sleep", event.data["request_hash"], "waiting"
        )
        if event.data.get("times_out"):
            state.timers[f"timeout:{act.key}"] = (event.data["until"], act.key)
        else:
            state.timers[sleep_timer(act.key, path)] = (event.data["until"], act.key)
    if act.waiting_on is None:
        act.active_ms += event.at - act.active_since
    if event.data["on"] == "timer":
        act.active_ms += event.data["until"] - event.at  # sleeping is no waiting for a person
    act.waiting_on = _waits_on(act)
    act.status = "waiting" if act.waiting_on == "interrupt" else "running"
    state.busy += act.busy - was
    state.dirty.add(act.key)
    if act.rerun_requested or any(group.finished for group in _waiting_groups(act)):
        wake(state, act)


def node_timed(state: RunState, event: Event) -> None:
    """Let the clock of a waiting composite run until a moment, or stand still."""
    act = state.activations[event.key]  # type: ignore[index]
    until = event.data["until"]
    stop_clock(state, act, event.at)
    if until is not None:
        act.clock, act.active_since = True, event.at
        state.timers[f"timeout:{act.key}"] = (until, act.key)


def stop_clock(state: RunState, act: Activation, at: int) -> None:
    """Count the time that the clock of a composite has run."""
    if act.clock:
        act.clock = False
        act.active_ms += at - act.active_since
        state.timers.pop(f"timeout:{act.key}", None)


def _waits_on(act: Activation) -> str:
    """Return what keeps the activation from going on; a person only if nothing else does."""
    open_ = {
        step.kind
        for step in act.steps.values()
        if step.status == "waiting" and step.attempt == act.attempt
    }
    return next((on for kind, on in WAITS if kind in open_), "interrupt")


def _waiting_groups(act: Activation) -> list[ChildGroup]:
    return [
        act.groups[step.path]
        for step in act.steps.values()
        if step.kind == "children" and step.status == "waiting" and step.attempt == act.attempt
    ]


def node_in_doubt(state: RunState, event: Event) -> None:
    """Park an activation until a person says what happened."""
    act = state.activations[event.key]  # type: ignore[index]
    was = act.busy
    leave_line(state, act)
    act.status, act.waiting_on = "in_doubt", "interrupt"
    state.busy += act.busy - was
    state.dirty.add(act.key)


def children_requested(state: RunState, event: Event) -> None:
    """Keep what a parent wants to be run, and let it be hungry; land what it wrote before."""
    data = event.data
    act = state.activations[event.key]  # type: ignore[index]
    if not act.isolated:
        apply_writes(state, act, event)
    children: list[dict[str, Any]] = data["children"]
    before = act.groups.get(data["path"])
    group = act.groups[data["path"]] = ChildGroup(
        path=data["path"],
        children=children,
        max_concurrency=data["max_concurrency"],
        fail_fast=data["fail_fast"],
        isolated=data["isolated"],
        results=[None] * len(children),
    )
    if before is not None:
        for index in data.get("kept", ()):
            group.results[index] = before.results[index]
            group.done += 1
        group.pass_over()
    state.with_unstarted_children.add(act.key)
    act.steps[(act.attempt, data["path"])] = Step(
        data["path"], act.attempt, "children", data["request_hash"], "waiting"
    )


def finish_child(state: RunState, act: Activation, result: dict[str, Any]) -> None:
    """Note a child's end in its group, and wake the parent once when the group is finished."""
    parent = state.activations.get(act.parent or "")
    if parent is None:
        return
    group = parent.groups[act.parent_path or ""]
    assert act.index is not None
    group.results[act.index] = result | {"key": act.key, "node": act.node}
    group.running -= 1
    group.done += 1
    if result["status"] in ("failed", "cancelled"):
        group.failed = True
        parent.effected = (
            parent.effected or act.effected or any(map(_may_stand, act.steps.values()))
        )
    if group.next < len(group.children):
        state.with_unstarted_children.add(parent.key)
    step = parent.steps.get((parent.attempt, group.path))
    if group.finished and step is not None and step.status == "waiting":
        step.status = "done"
        stir(state, parent)


def _may_stand(step: Step) -> bool:
    """Return whether a call that is made once has happened, as far as anybody knows."""
    unknown = (step.error or {}).get("code") == "OutcomeUnknown"
    return step.effect in MADE_ONCE and (step.status != "failed" or unknown)


def child_run_requested(state: RunState, event: Event) -> None:
    """Keep which activation waits for which child run."""
    data = event.data
    act = state.activations[event.key]  # type: ignore[index]
    state.child_runs[data["run_id"]] = (act.key, data["path"])
    act.steps[(act.attempt, data["path"])] = Step(
        data["path"],
        act.attempt,
        "child_run",
        data["request_hash"],
        "waiting",
        request_id=data["run_id"],
    )


def child_run_waiting(state: RunState, event: Event) -> None:
    """A child run waits for people (or no longer does): so does the activation that asked."""
    act = state.activations.get(event.key or "")
    if act is None or act.waiting_on != "run":
        return
    was = act.busy
    act.status = "waiting" if event.data["waiting"] else "running"
    state.busy += act.busy - was
    state.dirty.add(act.key)


def child_run_ended(state: RunState, event: Event) -> None:
    """Journal how a child run ended and wake who asked for it."""
    data = event.data
    key, path = state.child_runs.pop(data["run_id"], (None, None))
    _count_spend(state, event)
    state.handed_over |= bool(data.get("handed_over"))
    state.effected |= bool(data.get("effected"))
    for owed in data.get("compensations") or () if key else ():
        state.compensations.append(
            Compensation(f"{key}/{owed['key']}", owed["node"], owed["request"], owed["metadata"])
        )
    act = state.activations.get(key or "")
    if act is None or path is None:
        return
    step = act.steps.get((act.attempt, path))
    if step is not None and act.expired:
        del act.steps[(act.attempt, path)]  # cancelled by our own clock: a retry starts another
        act.effected = act.effected or bool(data.get("effected"))
    elif step is not None:
        step.status = "done"
        step.result = {k: data.get(k) for k in ("status", "result", "memory", "error", "run_id")}
        stir(state, act)


def _count_spend(state: RunState, event: Event) -> None:
    """What a child run cost counts for the node that ran it; budgets counted it call by call."""
    tokens, usd = event.data.get("tokens") or 0, Decimal(event.data.get("cost_usd") or 0)
    spend = state.spend.setdefault(node_of(event.key or ""), NodeSpend())
    spend.tokens += tokens
    spend.usd += usd
    state.spent_tokens += tokens
    state.spent_usd += usd


def timer_fired(state: RunState, event: Event) -> None:
    """Forget a timer and wake who slept."""
    state.timers.pop(event.data["timer"], None)
    act = state.activations.get(event.key or "")
    if act is not None and event.data["kind"] == "timeout" and act.clock:
        stop_clock(state, act, event.at)
        act.expired = True
    if event.data["kind"] != "sleep" or act is None:
        return
    step = act.steps.get((act.attempt, event.data["path"]))
    if step is not None:
        step.status = "done"
        stir(state, act)
