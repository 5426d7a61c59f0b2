"""The fold of activations: queued, started, completed, failed, skipped, cancelled."""

from __future__ import annotations

from typing import Any

from engine.core.state.events import Event, node_of
from engine.core.state.fold.steps import apply_writes, note_absence, note_slowness
from engine.core.state.fold.undo import push_undo
from engine.core.state.fold.waits import drop_sleeps, finish_child, leave_line, stop_clock
from engine.core.state.run_state import CODE_DIGITS, Activation, NodeSpend, RunState, TokenPayload
from engine.core.values.json import EMPTY, FrozenDict, deep_merge


def set_busy(state: RunState, act: Activation, was: bool) -> None:
    """Keep the count of activations that the engine itself must move."""
    state.busy += act.busy - was
    state.dirty.add(act.key)


def ensure_activation(state: RunState, event: Event) -> Activation:
    """Return the activation the event is about, made from the tokens or parent it names."""
    key = event.key
    assert key is not None
    act = state.activations.get(key)
    if act is None:
        act = _new_activation(state, event, key)
        state.activations[key] = act
        state.busy += 1
        state.dirty.add(key)
        state.visits[key.rsplit("#", 1)[0]] = act.visit
    return act


def _new_activation(state: RunState, event: Event, key: str) -> Activation:
    data = event.data
    act = Activation(key, node_of(key), int(key.rsplit("#", 1)[1]))
    parent_key = data.get("parent")
    if parent_key is None:
        act.tokens = state.board.claim(data["tokens"])
        _inherit(act, state)
        state.iterations += 1
        return act
    parent = state.activations[parent_key]
    group = parent.groups[data["path"]]
    child = group.children[data["index"]]
    group.next = max(group.next, data["index"] + 1)
    group.pass_over()
    group.running += 1
    act.parent, act.parent_path, act.index = parent_key, data["path"], data["index"]
    act.item, act.isolated = child.get("item"), group.isolated or parent.isolated
    act.handoff = bool(child.get("handoff"))
    act.previous = child.get("previous", parent.previous)
    act.metadata, act.lineage = parent.metadata, parent.lineage
    return act


def _inherit(act: Activation, state: RunState) -> None:
    """Take over what the tokens carry: previous, metadata in order of arrival, approvals."""
    carries: list[TokenPayload] = [token.payload for token in act.tokens]
    if len(carries) == 1:
        carry = carries[0]
        act.previous, act.metadata, act.lineage = carry.output, carry.metadata, carry.lineage
        return
    joined: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    lineage: frozenset[str] = frozenset()
    for carry in carries:
        if carry.source is not None:
            joined[carry.source] = carry.output
        metadata.update(carry.metadata)
        lineage |= carry.lineage
    act.previous, act.metadata, act.lineage = FrozenDict(joined), FrozenDict(metadata), lineage


def node_queued(state: RunState, event: Event) -> None:
    """Make the activation, waiting for an executor."""
    act = ensure_activation(state, event)
    state.runnable.append(act.key)


def node_started(state: RunState, event: Event) -> None:
    """Note a claim: attempt, lease epoch, and that the clock of the attempt runs."""
    fresh = event.key not in state.activations
    act = ensure_activation(state, event)
    was = act.busy
    data = event.data
    if not fresh:
        leave_line(state, act)
    act.status, act.waiting_on, act.retry_at = "running", None, None
    act.waits_for = None
    if data["attempt"] != act.attempt:
        act.attempt = data["attempt"]
        spend = state.spend.setdefault(act.node, NodeSpend())
        spend.attempts += 1
    act.epoch = data["epoch"]
    act.takeovers += bool(data.get("takeover"))
    act.code, act.rerun_requested = data["code"][:CODE_DIGITS], False
    stop_clock(state, act, event.at)
    act.active_since = event.at
    if not data.get("resumed"):
        act.view, act.view_seq = None, event.seq
        act.node_state = state.node_state.get(act.base, EMPTY)
        act.workflow_state = state.workflow_state
    if not act.started_at:
        act.started_at = event.at
    if state.timers:
        state.timers.pop(f"retry:{act.key}", None)
    set_busy(state, act, was)


def node_completed(state: RunState, event: Event) -> None:
    """Land writes and output, and move the tokens on."""
    data = event.data
    act = state.activations[event.key]  # type: ignore[index]
    output = data["output"] if "output" in data else data.get("writes", EMPTY)
    if not act.isolated:
        apply_writes(state, act, event)
        state.outputs[act.node] = output
        state.routing = {
            "node": act.node,
            "condition": data.get("condition"),
            "intent": data.get("intent"),
            "edges": data.get("edges", []),
        }
    if "metadata" in data:
        act.metadata = FrozenDict({**act.metadata, **data["metadata"]})
    infra = data.get("infra")
    if infra and isinstance(infra.get("runtime"), dict):
        state.runtime = deep_merge(state.runtime, infra["runtime"])
    if data.get("undo"):
        push_undo(state, act, data["undo"])
    if act.parent is None:
        state.metadata = act.metadata
        state.last_output, state.last_key = output, act.key
        if data.get("is_result"):
            state.output_result, state.has_output_result = output, True
            state.output_key = act.key
    result = {"status": "completed", "output": output}
    if act.parent is not None:
        result["data"] = FrozenDict({**data.get("writes", EMPTY), **data.get("results", EMPTY)})
    if "aside" in data:
        result["aside"] = data["aside"]
    leave(state, act, event, result)


def node_failed(state: RunState, event: Event) -> None:
    """Move the tokens along the failure edges taken, if any; results land only with those."""
    act = state.activations[event.key]  # type: ignore[index]
    if not act.isolated:
        apply_writes(state, act, event)
    leave(state, act, event, {"status": "failed", "error": event.data["error"]})


def node_skipped(state: RunState, event: Event) -> None:
    """Pass on what the node received."""
    act = ensure_activation(state, event)
    if not act.isolated:
        state.outputs[act.node] = event.data["output"]
    leave(state, act, event, {"status": "skipped", "output": event.data["output"]})


def node_cancelled(state: RunState, event: Event) -> None:
    """Take the activation away; its tokens end."""
    act = state.activations[event.key]  # type: ignore[index]
    leave(state, act, event, {"status": "cancelled", "error": {"code": "Cancelled"}})


def leave(state: RunState, act: Activation, event: Event, result: dict[str, Any]) -> None:
    """End an activation: its tokens move on along the edges taken, its parent hears of it."""
    leave_line(state, act)
    state.busy -= act.busy
    del state.activations[act.key]
    state.dirty.add(act.key)
    for kind in ("retry", "timeout"):
        state.timers.pop(f"{kind}:{act.key}", None)
    drop_sleeps(state, act)
    if act.parent is not None:
        finish_child(state, act, result)
        return
    edges = event.data.get("edges", ())
    for token in act.tokens:
        state.board.finish(token)
    if not edges:
        return
    lineage = act.lineage | {act.key} if act.approved else act.lineage
    output = result.get("output", act.previous)
    carry = TokenPayload(act.node, output, act.metadata, lineage)
    for index in edges:
        state.board.arrive(index, carry)


def attempt_failed(state: RunState, event: Event) -> None:
    """Note the failure and when the next attempt is due."""
    act = state.activations[event.key]  # type: ignore[index]
    was = act.busy
    leave_line(state, act)
    drop_sleeps(state, act)
    act.status, act.waiting_on = "retrying", None
    state.with_unstarted_children.discard(act.key)
    act.retry_at, act.waits_for = event.data["retry_at"], event.data.get("waits_for")
    note_absence(act, event)
    note_slowness(act, event)
    act.rejected_answer = bool(event.data.get("rejected_answer"))
    act.active_ms = act.takeovers = 0
    act.clock = act.expired = False
    state.timers.pop(f"timeout:{act.key}", None)
    state.timers[f"retry:{act.key}"] = (event.data["retry_at"], act.key)
    set_busy(state, act, was)
