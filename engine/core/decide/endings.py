"""How a run ends: nothing new starts, what is open closes, what is owed is undone, then it is over."""

from __future__ import annotations

from engine.core.budgets.ledger import BudgetRow
from engine.core.budgets.money import usd_text
from engine.core.decide.holds import announce_thresholds
from engine.core.decide.transition import Transition
from engine.core.effects import EffectClass
from engine.core.state.event_types.runs import EndStatus, RunCompleted, RunEnding
from engine.core.state.event_types.steps import Spent, StepFailed
from engine.core.state.run_state import Activation, RunState
from engine.core.values.json import EMPTY, FrozenDict, as_text

CANCEL_GRACE_MS = 10_000
"""How long calls in flight may finish after a cancel, or where a run stops."""

FAIL_GRACE_MS = 600_000
"""The same after a failure, and after a timeout where more than model calls is under way."""


STOPPED = "the answer was stopped on its way: counted are the request and what had come by then"


def begin_ending(
    tx: Transition, status: EndStatus, reason: str, error: FrozenDict | None, by: str | None = None
) -> None:
    """Enter `ending`: close open interrupts and everything that does not run, all in this commit.

    `status` is failed, timeout, cancelled, or completed where the run was to stop. Running
    activations may finish the call in flight.
    """
    state = tx.state
    if state.ending is not None or state.terminal:
        return
    for request_id in list(state.interrupts):
        opened = state.interrupts[request_id]
        tx.emit(
            "InterruptResolved", opened.key, {"request_id": request_id, "outcome": "superseded"}
        )
    patient = status == "failed" or (status == "timeout" and not _only_models_speak(state))
    grace = FAIL_GRACE_MS if patient else CANCEL_GRACE_MS
    data: RunEnding = {
        "status": status,
        "reason": reason,
        "error": error,
        "grace_until": tx.now + grace,
    }
    if by is not None:
        data["by"] = by
    tx.emit("RunEnding", None, data)
    for run_id in list(state.child_runs):
        tx.signal("cancel_run", run_id, {"reason": f"parent {status}", "by": "parent"})
    for key in list(state.activations):
        act = state.activations.get(key)
        if act is not None and not is_executing(act):
            cancel_activation(tx, key)


def _only_models_speak(state: RunState) -> bool:
    """Return whether all that is under way are model calls: these can be broken off at any time."""
    busy = [act for act in state.activations.values() if is_executing(act)]
    calls = [[s for s in act.steps.values() if s.status == "intended"] for act in busy]
    return all(steps and all(s.effect is EffectClass.LLM for s in steps) for steps in calls)


def is_executing(act: Activation) -> bool:
    """Return whether an executor is inside the activation's code right now."""
    return act.status == "running" and act.waiting_on is None


def is_in_flight(act: Activation) -> bool:
    """Return whether a call was under way beside the wait that suspended the activation."""
    return act.status != "in_doubt" and any(
        step.status == "intended" and step.attempt == act.attempt for step in act.steps.values()
    )


def wants_executors(state: RunState) -> bool:
    """Return whether something of a run is as it is only while somebody executes it."""
    return any(is_executing(act) or is_in_flight(act) for act in state.activations.values())


def cancel_activation(tx: Transition, key: str) -> None:
    """Cancel one activation; calls of it in flight count as spent."""
    act = tx.state.activations.get(key)
    if act is not None:
        close_attempt(tx, act)
        tx.emit("NodeCancelled", key, {})


def close_attempt(tx: Transition, act: Activation) -> None:
    """Close what the attempt leaves open: calls in flight, questions, child runs."""
    presume_holds(tx, act.key)
    key, state = act.key, tx.state
    if state.interrupts:
        for opened in [opened for opened in state.interrupts.values() if opened.key == key]:
            tx.emit(
                "InterruptResolved",
                key,
                {"request_id": opened.request_id, "outcome": "superseded"},
            )
    for run_id, (parent, _path) in state.child_runs.items():
        if parent == key:
            tx.signal("cancel_run", run_id, {"reason": "no longer needed", "by": "parent"})


def presume_holds(tx: Transition, key: str) -> None:
    """Settle every hold of the activation at its full amount: nobody knows what it cost."""
    state = tx.state
    act = state.activations.get(key)
    if act is None:
        return
    for step in [step for step in act.steps.values() if step.status == "intended"]:
        lost = "the call's outcome is unknown"
        fail_step(tx, key, step.attempt, step.path, hold_id=step.hold, message=lost)


def fail_step(
    tx: Transition,
    key: str,
    attempt: int,
    path: str,
    *,
    hold_id: str | None,
    message: str,
    code: str = "OutcomeUnknown",
) -> None:
    """Record a step whose outcome nobody will learn; its hold becomes presumed spending.

    Of an answer that was stopped on its way counts what can have been generated by then. `code`
    names another reason why what it cost is not known.
    """
    crossed: list[tuple[BudgetRow, int]] = []
    spent: Spent = {}
    if hold_id is not None and hold_id in tx.state.holds:
        hold = tx.state.holds[hold_id]
        most = tx.ledger.most(hold_id)
        tokens, usd = most or (hold.tokens, hold.usd)
        crossed = tx.ledger.settle(hold_id, tokens, usd, "presumed")
        spent = {"hold": hold_id, "tokens": tokens, "cost_usd": usd_text(usd), "presumed": True}
        spent |= hold.described  # type: ignore[typeddict-item]
        if most is not None:
            spent["estimated"] = True
            message = STOPPED
    data: StepFailed = {
        "path": path,
        "attempt": attempt,
        "error": FrozenDict({"code": code, "message": message}),
    }
    data |= spent  # type: ignore[typeddict-item]
    tx.emit("StepFailed", key, data)
    announce_thresholds(tx, crossed)


def finish_ending(tx: Transition) -> None:
    """Emit the terminal event once nothing of the run, or of a run below it, is in anybody's hand."""
    state = tx.state
    ending = state.ending
    if (
        ending is None
        or state.activations
        or state.child_runs
        or state.terminal
        or pending_compensations(state)
    ):
        return
    if waits_for_children(state):
        return
    if ending.status == "cancelled":
        tx.emit("RunCancelled", None, {"reason": ending.reason, "by": ending.by})
    elif ending.status == "completed":
        tx.emit("RunCompleted", None, _stopped(state))
    elif ending.status == "timeout":
        tx.emit("RunTimedOut", None, {"reason": ending.reason, "error": ending.error})
    else:
        tx.emit("RunFailed", None, {"reason": ending.reason, "error": ending.error})
    announce_end(tx)


def complete_run(tx: Transition) -> None:
    """End a run of which nothing is left to do."""
    state = tx.state
    result = state.output_result if state.has_output_result else state.last_output
    _tell_chat(tx, result)
    tx.emit("RunCompleted", None, {"result": result})
    announce_end(tx)


def _tell_chat(tx: Transition, result: object) -> None:
    """Say a chat's result as a message when nothing else was said (row K44).

    A run that handed over leaves the answer to the run that follows; nothing is no answer.
    """
    state = tx.state
    if not state.started.get("chat") or state.messages or state.transitioned:
        return
    if result is None or result == EMPTY or not as_text(result).strip():
        return
    key = state.output_key if state.has_output_result else state.last_key
    tx.emit("MessageEmitted", key, {"content": as_text(result), "final": True})


def stop_where_asked(tx: Transition) -> None:
    """End the run as completed once the node that it was to go to has completed or was skipped."""
    state = tx.state
    until = _last_node(state)
    if until is None or until not in state.outputs or until not in state.visits:
        return
    begin_ending(tx, "completed", "until", None)


def _last_node(state: RunState) -> str | None:
    started = state.started
    until: str | None = started.get("until") or started.get("only")
    return until


def _stopped(state: RunState) -> RunCompleted:
    """Return what a run that stopped where it was asked to ends with: what that node left."""
    until = str(_last_node(state))
    result = state.output_result if state.has_output_result else state.outputs[until]
    return {"result": result, "until": until}


def pending_compensations(state: RunState) -> bool:
    """Return whether undo steps are still to be run before the run may end."""
    ending = state.ending
    return (
        ending is not None and ending.status in ("failed", "timeout") and bool(state.compensations)
    )


def waits_for_children(state: RunState) -> bool:
    """Return whether a child run has yet to say what it leaves to be undone (row C52).

    Nobody is waited for longer than calls in flight are.
    """
    ending = state.ending
    undoes = ending is not None and ending.status in ("failed", "timeout")
    return undoes and bool(state.child_runs) and "ending" in state.timers


def inherited_compensations(state: RunState) -> list[FrozenDict]:
    """Return the undos that an ended run leaves to the run around it.

    One that failed or timed out has made its own.
    """
    if state.status not in ("completed", "cancelled"):
        return []
    return [entry.to_json() for entry in state.compensations]


def announce_end(tx: Transition) -> None:
    """Leave word for the parent run, if there is one."""
    state = tx.state
    parent = state.started.get("parent")
    if parent and parent.get("kind") == "subgraph":
        tx.signal(
            "child_ended",
            parent["run_id"],
            {
                "run_id": state.run_id,
                "status": state.status,
                "result": state.result,
                "memory": FrozenDict({k: v for k, v in state.memory.items() if k in state.writers}),
                "error": state.error,
                "tokens": state.spent_tokens,
                "cost_usd": usd_text(state.spent_usd),
                "handed_over": state.handed_over,
                "waiting": False,
                "effected": state.effected,
                "compensations": inherited_compensations(state),
            },
        )


def announce_waiting(tx: Transition) -> None:
    """Leave word for the run around this one when this one begins or ends to wait."""
    state = tx.state
    parent = state.started.get("parent")
    waiting = state.status in ("waiting", "queued")
    if parent and waiting is not state.waiting_announced and parent.get("kind") == "subgraph":
        state.waiting_announced = waiting
        payload = {"run_id": state.run_id, "waiting": waiting}
        tx.signal("child_waiting", parent["run_id"], payload)
