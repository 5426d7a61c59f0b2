"""The part of the fold that concerns waiting: people, children, timers, child runs."""

from __future__ import annotations

from typing import Any

from engine.events import Event
from engine.state import Activation, ChildGroup, OpenInterrupt, RunState, Step


def _wake(state: RunState, act: Activation) -> None:
    """Put a waiting activation back in line; its code runs again from its top."""
    was = act.busy
    act.status, act.waiting_on = "queued", None
    state.busy += act.busy - was
    state.dirty.add(act.key)
    state.runnable.append(act.key)


def leave_line(state: RunState, act: Activation) -> None:
    """Take an activation out of the line of those that are queued, if it stands there."""
    if act.status == "queued" and act.key in state.runnable:
        state.runnable.remove(act.key)


def node_waiting(state: RunState, event: Event) -> None:
    act = state.activations[event.key]  # type: ignore[index]
    was = act.busy
    leave_line(state, act)
    on = event.data["on"]
    act.waiting_on = on
    act.status = "waiting" if on == "interrupt" else "running"
    act.active_ms += event.at - act.active_since
    if on == "timer":
        act.steps[(act.attempt, event.data["path"])] = Step(
            event.data["path"], act.attempt, "sleep", event.data["request_hash"], "waiting"
        )
        state.timers[f"sleep:{act.key}"] = (event.data["until"], act.key)
    state.busy += act.busy - was
    state.dirty.add(act.key)
    if on == "children" and act.groups[event.data["path"]].finished:
        _wake(state, act)


def interrupt_opened(state: RunState, event: Event) -> None:
    data = event.data
    request_id = data["request_id"]
    act = state.activations[event.key]  # type: ignore[index]
    state.interrupts[request_id] = OpenInterrupt(
        request_id=request_id,
        key=act.key,
        path=data["path"],
        kind=data["kind"],
        request=data["request"],
        opened_at=event.at,
        expires_at=data.get("expires_at"),
        content_hash=data.get("content_hash"),
        review_keys=tuple(data.get("review_keys", ())),
        seq=event.seq,
    )
    act.steps[(act.attempt, data["path"])] = Step(
        data["path"], act.attempt, "interrupt", data["request_hash"], "waiting",
        request_id=request_id,
    )  # fmt: skip
    if data.get("expires_at"):
        state.timers[f"expire:{request_id}"] = (data["expires_at"], act.key)


def interrupt_resolved(state: RunState, event: Event) -> None:
    data = event.data
    request_id = data["request_id"]
    opened = state.interrupts.pop(request_id)
    state.timers.pop(f"expire:{request_id}", None)
    state.resolved[request_id] = {
        k: v for k, v in data.items() if k in ("outcome", "answer", "by", "comment", "decision")
    } | {"at": event.at, "kind": opened.kind}
    act = state.activations.get(opened.key)
    if act is None:
        return
    step = act.steps.get((act.attempt, opened.path))
    if data["outcome"] == "superseded":
        if step is not None:
            del act.steps[(act.attempt, opened.path)]
        act.view = None
        act.view_seq = event.seq
        if not state.ending:
            _wake(state, act)
        return
    if step is not None:
        step.status = "done"
        step.result = (
            {"outcome": data["outcome"], "answer": data.get("answer")}
            | {k: data[k] for k in ("by", "comment", "decision", "edits") if k in data}
            | {"at": event.at}
        )
    if opened.kind == "approval" and data.get("decision") == "approved":
        act.approved = True
        state.approvals[data.get("approval", act.key)] = data.get("reviewed", {})
    if not state.ending:
        _wake(state, act)


def node_in_doubt(state: RunState, event: Event) -> None:
    act = state.activations[event.key]  # type: ignore[index]
    was = act.busy
    leave_line(state, act)
    act.status, act.waiting_on = "in_doubt", "interrupt"
    state.busy += act.busy - was
    state.dirty.add(act.key)


def children_requested(state: RunState, event: Event) -> None:
    data = event.data
    act = state.activations[event.key]  # type: ignore[index]
    children: list[dict[str, Any]] = data["children"]
    act.groups[data["path"]] = ChildGroup(
        path=data["path"],
        children=children,
        max_concurrency=data["max_concurrency"],
        fail_fast=data["fail_fast"],
        isolated=data["isolated"],
        results=[None] * len(children),
    )
    state.hungry.add(act.key)
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
    group.failed = group.failed or result["status"] in ("failed", "cancelled")
    if group.next < len(group.children):
        state.hungry.add(parent.key)
    if group.finished and parent.waiting_on == "children" and not state.ending:
        step = parent.steps.get((parent.attempt, group.path))
        if step is not None:
            step.status = "done"
        _wake(state, parent)


def child_run_requested(state: RunState, event: Event) -> None:
    data = event.data
    act = state.activations[event.key]  # type: ignore[index]
    state.child_runs[data["run_id"]] = (act.key, data["path"])
    act.steps[(act.attempt, data["path"])] = Step(
        data["path"], act.attempt, "child_run", data["request_hash"], "waiting",
        request_id=data["run_id"],
    )  # fmt: skip


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
    data = event.data
    key, path = state.child_runs.pop(data["run_id"], (None, None))
    act = state.activations.get(key or "")
    if act is None or path is None:
        return
    step = act.steps.get((act.attempt, path))
    if step is not None:
        step.status = "done"
        step.result = {k: data.get(k) for k in ("status", "result", "memory", "error")}
    if act.waiting_on == "run" and not state.ending:
        _wake(state, act)


def timer_fired(state: RunState, event: Event) -> None:
    state.timers.pop(event.data["timer"], None)
    kind = event.data["kind"]
    if kind == "sleep":
        act = state.activations.get(event.key or "")
        if act is not None and act.waiting_on == "timer":
            step = act.steps.get((act.attempt, event.data["path"]))
            if step is not None:
                step.status = "done"
            _wake(state, act)
