"""The clock of a composite: `timeout_ms` of an attempt that waits for what it runs (row C24).

It runs while anything below the composite moves, and stands still while all of that waits for
people. When it has run out nothing new is started below: what is idle is cancelled, what is in
somebody's hand may finish, and with the last of it the attempt fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.decide.endings import cancel_activation, is_executing
from engine.core.decide.outcomes import fail_attempt
from engine.core.decide.transition import Transition
from engine.core.errors import NodeError
from engine.core.state.program import NodePlan
from engine.core.state.run_state import Activation, RunState
from engine.core.values.durations import duration_words

if TYPE_CHECKING:
    from engine.core.decide.scheduler import Env

BELOW = frozenset({"children", "run"})
"""What a composite waits for that its clock counts."""


def timed_out(plan: NodePlan, *, retryable: bool = True) -> NodeError:
    """Return the failure of an attempt that took too long."""
    limit = duration_words(plan.policy.timeout_ms or 0)
    message = f"the attempt took longer than {limit}, all that one may take"
    return NodeError("NodeTimeout", message, retryable=retryable)


def update_timeouts(tx: Transition) -> None:
    """Start and stop the clocks of composites that wait; the log says when they ran."""
    state = tx.state
    if not state.program.timed or state.ending is not None or state.terminal:
        return
    for act in list(state.activations.values()):
        if act.node not in state.program.timed or act.waiting_on not in BELOW or act.expired:
            continue
        moving = _moves(state, act)
        if moving and not act.clock:
            limit = state.program.spec.node(act.node).failure_policy.timeout_ms or 0
            tx.emit("NodeTimed", act.key, {"until": tx.now + max(limit - act.active_ms, 0)})
        elif act.clock and not moving:
            tx.emit("NodeTimed", act.key, {"until": None})


def expire(tx: Transition, act: Activation, timer: str) -> None:
    """Let a composite's time be over: child runs are cancelled, and children as they come to rest."""
    tx.emit("TimerFired", act.key, {"timer": timer, "kind": "timeout"})
    for run_id, (key, _path) in tx.state.child_runs.items():
        if key == act.key or key.startswith(f"{act.key}/"):
            tx.signal(
                "cancel_run", run_id, {"reason": "the step above took too long", "by": "parent"}
            )


def cancel_expired(tx: Transition, env: Env) -> None:
    """Cancel what is idle below composites whose time is over; fail those with nothing left."""
    state = tx.state
    for key in [act.key for act in state.activations.values() if act.expired]:
        if state.ending is not None:
            return
        for other in _below(state, key):
            if not is_executing(other) and other.status != "in_doubt" and not _is_sending(other):
                cancel_activation(tx, other.key)
        act = state.activations.get(key)
        runs = [run for run, (owner, _path) in state.child_runs.items() if owner == key]
        if act is not None and not runs and not _below(state, key):
            plan = state.program.plan(act.node)
            # the next attempt keeps what completed; what was cut off after a call would make it again
            error = timed_out(plan, retryable=not act.effected)
            fail_attempt(tx, plan, act, error, env.jitter())


def _below(state: RunState, key: str) -> list[Activation]:
    return [act for name, act in state.activations.items() if name.startswith(f"{key}/")]


def _is_sending(act: Activation) -> bool:
    return any(s.status == "intended" and s.attempt == act.attempt for s in act.steps.values())


def _moves(state: RunState, act: Activation) -> bool:
    if act.waiting_on == "run":
        return act.status == "running"
    return any(other.busy for other in _below(state, act.key))
