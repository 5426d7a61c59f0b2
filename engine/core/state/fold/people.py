"""The part of the fold that concerns people: interrupts, and what they say to them."""

from __future__ import annotations

from typing import Any

from engine.core.state.events import Event
from engine.core.state.fold.waits import leave_line, stir, wake
from engine.core.state.run_state import Activation, OpenInterrupt, RunState, Step
from engine.core.values.json import FrozenDict

KEPT = ("by", "stands_for", "comment", "decision", "edits")
"""What the waiting code finds of a resolution."""


def interrupt_opened(state: RunState, event: Event) -> None:
    """Open a pause, and journal the call that waits for it."""
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
        slice_hash=data.get("content_hash"),
        eligible=None if data.get("eligible") is None else tuple(data["eligible"]),
        rule=data["quorum"]["rule"] if "quorum" in data else "any",
        seats=tuple(data["quorum"]["seats"]) if "quorum" in data else (),
    )
    act.steps[(act.attempt, data["path"])] = Step(
        data["path"],
        act.attempt,
        "interrupt",
        data["request_hash"],
        "waiting",
        request_id=request_id,
    )
    if data["kind"] == "breakpoint":
        _hold(state, act)
    if data.get("expires_at"):
        state.timers[f"expire:{request_id}"] = (data["expires_at"], act.key)
    for name, at in _nudges(data, event.at).items():
        state.timers[name] = (at, act.key)


def _hold(state: RunState, act: Activation) -> None:
    """Let an activation wait that has not begun."""
    was = act.busy
    leave_line(state, act)
    act.status, act.waiting_on = "waiting", "interrupt"
    state.busy += act.busy - was
    state.dirty.add(act.key)


def _nudges(data: dict[str, Any], opened_at: int) -> dict[str, int]:
    """Return when to remind of an approval and when to escalate it, by timer."""
    policy = data["request"].get("policy") if data["kind"] == "approval" else None
    request_id, until = data["request_id"], data.get("expires_at")
    after = {
        remind_timer(request_id, i): ms for i, ms in enumerate((policy or {}).get("reminders", ()))
    }
    if policy and policy.get("escalation"):
        after[escalate_timer(request_id)] = policy["escalation"]["after_ms"]
    due = {name: opened_at + ms for name, ms in after.items()}
    return {name: at for name, at in due.items() if until is None or at < until}


def remind_timer(request_id: str, number: int) -> str:
    """Return the name of the timer row of one reminder."""
    return f"remind:{request_id}|{number}"


def escalate_timer(request_id: str) -> str:
    """Return the name of the timer row of an escalation."""
    return f"escalate:{request_id}"


def decision_recorded(state: RunState, event: Event) -> None:
    """Keep what one person said of an approval that needs several; their latest word counts."""
    data = event.data
    opened = state.interrupts[data["request_id"]]
    kept = ("decision", "fills", "comment", "cli", "content_hash", "stands_for")
    said = {k: data[k] for k in kept if k in data}
    opened.decisions[data["by"]] = FrozenDict(said | {"at": event.at, "seq": event.seq})
    if "edits" in data:
        opened.edits = data["edits"]
        opened.content_hash = data["content_hash"]
        opened.changes = tuple(data.get("changes", ()))
        opened.prompt = data.get("prompt")


def decision_dropped(state: RunState, event: Event) -> None:
    """Forget what a person said: it was about other content, or they may not decide any more."""
    del state.interrupts[event.data["request_id"]].decisions[event.data["by"]]


def interrupt_reminded(state: RunState, event: Event) -> None:
    """Note that people were reminded; reminders due before count as given."""
    request_id, number = event.data["request_id"], event.data["number"]
    for earlier in range(number):
        state.timers.pop(remind_timer(request_id, earlier), None)
    state.interrupts[request_id].reminded = number


def interrupt_escalated(state: RunState, event: Event) -> None:
    """Let others decide too from now on."""
    request_id = event.data["request_id"]
    state.timers.pop(escalate_timer(request_id), None)
    state.interrupts[request_id].escalated = tuple(event.data["to"])


def interrupt_resolved(state: RunState, event: Event) -> None:
    """Close a pause, once, and wake who waited for it."""
    data = event.data
    request_id = data["request_id"]
    opened = state.interrupts.pop(request_id)
    for name in [name for name in state.timers if is_about(name, request_id)]:
        del state.timers[name]
    state.resolved[request_id] = _record(opened, event)
    if opened.kind == "breakpoint":
        state.stepping = data.get("decision") == "step"
    act = state.activations.get(opened.key)
    if act is None:
        return
    step = act.steps.get((act.attempt, opened.path))
    if data["outcome"] == "superseded":
        _ask_anew(state, act, opened, event.seq)
        return
    if step is not None:
        _answered(step, opened, event)
    if opened.request.get("approval_type") == "tool_call":
        _call_decided(state, opened, event, step)
    elif opened.kind == "approval" and data.get("decision") == "approved":
        act.approved = True
        state.approvals[data.get("approval", act.key)] = data.get("reviewed", {})
    if opened.kind != "in_doubt":
        stir(state, act)
    elif not state.ending or act.undoes is not None:
        wake(state, act)


def _answered(step: Step, opened: OpenInterrupt, event: Event) -> None:
    """Journal what became of a question: the code that waited finds it there."""
    data = event.data
    step.status = "done"
    said = {name: data[name] for name in KEPT if name in data}
    step.result = {"outcome": data["outcome"], "answer": data.get("answer")} | said
    step.result["at"] = event.at
    if opened.seats:
        step.result["decisions"] = FrozenDict(opened.decisions)


def _call_decided(state: RunState, opened: OpenInterrupt, event: Event, step: Step | None) -> None:
    """Keep what was decided of an agent's call, and which kind of call the run has approved."""
    request = opened.request
    if step is not None:
        step.result |= {k: event.data[k] for k in ("content_hash", "told") if k in event.data}
    if event.data.get("decision") == "approved":
        state.allowed_calls.add((request["agent"], request["tool"], request["definition"]))


def _ask_anew(state: RunState, act: Activation, opened: OpenInterrupt, seq: int) -> None:
    """Wake who waited for a question that no longer stands: it is put again if it still must."""
    act.steps.pop((act.attempt, opened.path), None)
    if opened.kind != "budget":  # money changes nothing that the node has read
        act.view = None
        act.view_seq = seq
    stir(state, act)


def _record(opened: OpenInterrupt, event: Event) -> dict[str, Any]:
    """Return what is remembered of a closed interrupt: who comes later hears it."""
    kept = ("outcome", "answer", "given", "by", "stands_for", "comment", "decision")
    record = {name: event.data[name] for name in kept if name in event.data}
    if opened.decisions:
        record["decisions"] = FrozenDict(opened.decisions)
    return record | {"at": event.at, "kind": opened.kind}


def is_about(timer: str, request_id: str) -> bool:
    """Return whether a timer is of an interrupt: its deadline, reminders, escalation, stopped clock."""
    kind, _, ref = timer.partition(":")
    return kind in ("expire", "remind", "escalate", "asked") and ref.partition("|")[0] == request_id
