"""What happens next, derived from the state: `advance` emits it and returns what needs an executor.

Nothing here awaits or reads a clock. Nodes of `pure` types are evaluated on the spot, so that a
chain of them is one transition; everything else is claimed: `NodeStarted` with a new lease epoch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from engine.core.decide.approvals import escalate, remind
from engine.core.decide.begin.breakpoints import open_breakpoint, stops_before
from engine.core.decide.begin.pinned import complete_pinned, pin_of
from engine.core.decide.begin.places import Limited
from engine.core.decide.begin.pure import evaluate_pure
from engine.core.decide.clocks.asking_back import run_on
from engine.core.decide.clocks.composite_timeouts import (
    cancel_expired,
    expire,
    timed_out,
    update_timeouts,
)
from engine.core.decide.endings import (
    announce_waiting,
    begin_ending,
    cancel_activation,
    complete_run,
    finish_ending,
    stop_where_asked,
)
from engine.core.decide.exits.sizes import end_too_large
from engine.core.decide.outcomes import fail_attempt, fail_node, skip_node
from engine.core.decide.transition import Transition
from engine.core.decide.undo import next_undo
from engine.core.errors import NodeError
from engine.core.graph.tokens import Ready
from engine.core.state.breakers import refuse_attempt
from engine.core.state.deadlines import run_deadline
from engine.core.state.event_types.activations import NodeQueued, NodeStarted, Origin
from engine.core.state.events import error_data
from engine.core.state.lanes import build_view
from engine.core.state.program import NodePlan
from engine.core.state.run_state import Activation
from engine.core.values.durations import duration_words

BATCH_ACTIVATIONS = 100
BATCH_SECONDS = 0.010
CHILDREN_AT_ONCE = 8  # then it is asked again whether the run may go on
MAX_TAKEOVERS = 3
"""Crashes in a row without a recorded answer before an activation is parked for a person (poison)."""


class Claim(NamedTuple):
    """An activation that this process now holds under `epoch`, to be executed."""

    key: str
    epoch: int
    plan: NodePlan


@dataclass(slots=True)
class Env:
    """What scheduling may not invent: jitter, a stop-watch for batches, who claims, who must queue."""

    jitter: Callable[[], float]
    stopwatch: Callable[[], float]
    worker: str = "local"
    batch: int = BATCH_ACTIVATIONS
    limited: Limited = lambda _workspace_id: False


@dataclass(slots=True)
class Advance:
    """What `advance` leaves to do: claims to execute; `more` if a batch limit cut it short."""

    claims: list[Claim]
    more: bool = False


def advance(tx: Transition, env: Env) -> Advance:
    """Move the run as far as it goes without an executor, and claim what needs one."""
    state = tx.state
    claims: list[Claim] = []
    started = env.stopwatch()
    count = 0
    while state.moves:
        if state.program.timed:
            cancel_expired(tx, env)
        stop_where_asked(tx)
        if state.ending is not None:
            claims += next_undo(tx)
            finish_ending(tx)
            break
        if not state.ready:
            state.ready.extend(state.board.release())
        if end_too_large(tx):
            continue
        taken = 1
        if state.ready:
            _start(tx, env, state.ready.popleft(), claims)
        elif state.runnable:
            _resume(tx, env, state.runnable[0], claims)
        elif not (taken := _start_children(tx, env, claims)):
            break
        count += taken
        if count >= env.batch or (count & 7 < taken and env.stopwatch() - started > BATCH_SECONDS):
            return Advance(claims, more=True)
    _come_to_rest(tx)
    return Advance(claims)


def _come_to_rest(tx: Transition) -> None:
    """Complete a run that has nothing left to do; of another, say what it waits for."""
    state = tx.state
    if not (state.activations or state.board.live or state.ending) and state.moves:
        complete_run(tx)
    update_timeouts(tx)
    announce_waiting(tx)


def _start(tx: Transition, env: Env, ready: Ready, claims: list[Claim]) -> None:
    state = tx.state
    node_id = state.program.graph.nodes[ready.node].id
    limit = state.limit("max_iterations")
    if state.iterations >= limit:
        message = f"the run has started {limit:,} steps, all that it may: {node_id!r} was one more"
        error = NodeError("IterationLimit", message)
        begin_ending(tx, "failed", "failed", error_data(error, node_id))
        return
    if ready.forced:
        tx.emit("JoinForced", None, {"node": node_id, "waiting": len(ready.tokens)})
    visit = state.visits.get(node_id, 0) + 1
    origin: Origin = {"tokens": [token.id for token in ready.tokens]}
    _begin(tx, env, f"{node_id}#{visit}", node_id, origin=origin, claims=claims)


def _begin(
    tx: Transition, env: Env, key: str, node_id: str, *, origin: Origin, claims: list[Claim]
) -> None:
    """Start a new activation: hold it at a breakpoint, else go on with it."""
    if stops_before(tx.state, node_id, child="parent" in origin):
        open_breakpoint(tx, _queued(tx, key, node_id, origin))
    else:
        _go(tx, env, key, node_id, origin=origin, claims=claims)


def _go(
    tx: Transition, env: Env, key: str, node_id: str, *, origin: Origin | None, claims: list[Claim]
) -> None:
    """Skip, complete, evaluate or claim an activation; one without `origin` is queued already."""
    if tx.state.program.spec.node(node_id).disabled:
        skip_node(tx, _queued(tx, key, node_id, origin))
        return
    try:
        plan = tx.state.program.plan(node_id)
    except NodeError as error:
        _cannot_start(tx, key, node_id, origin, error)
        return
    pin = pin_of(tx.state, node_id, child="/" in key)
    if pin is not None:
        complete_pinned(tx, plan, _queued(tx, key, node_id, origin), pin)
        return
    refusal = refuse_attempt(tx, plan, key)
    if refusal is not None:
        _cannot_start(tx, key, node_id, origin, refusal)
        return
    claim = claim_activation(tx, env, key, plan, attempt=1, resumed=False, origin=origin)
    if plan.pure:
        evaluate_pure(tx, env, plan, tx.state.activations[key])
    else:
        claims.append(claim)


def _queued(tx: Transition, key: str, node_id: str, origin: Origin | None) -> Activation:
    if origin is not None:
        queued: NodeQueued = {"node": node_id, **origin}  # type: ignore[typeddict-item]
        tx.emit("NodeQueued", key, queued)
    return tx.state.activations[key]


def _cannot_start(
    tx: Transition, key: str, node_id: str, origin: Origin | None, error: NodeError
) -> None:
    """Park an activation whose type is gone for a person; fail one whose config is wrong."""
    from engine.core.decide.in_doubt import open_doubt

    act = _queued(tx, key, node_id, origin)
    if error.code == "NodeTypeMissing":
        open_doubt(tx, act, "missing_type", "type", {"message": error.message})
    else:
        fail_node(tx, None, act, error)


def claim_activation(
    tx: Transition,
    env: Env,
    key: str,
    plan: NodePlan,
    *,
    attempt: int,
    resumed: bool,
    origin: Origin | None = None,
    takeover: bool = False,
) -> Claim:
    """Emit `NodeStarted` under the next lease epoch and fix what the activation may read."""
    act = tx.state.activations.get(key)
    epoch = (act.epoch if act is not None else 0) + 1
    data: NodeStarted = {
        "attempt": attempt,
        "epoch": epoch,
        "max_attempts": plan.max_attempts + (0 if act is None else act.away),
        "node_type": plan.spec.type,
        "code": plan.code,
    }
    if resumed:
        data["resumed"] = True
    if origin is not None:
        data |= origin  # type: ignore[typeddict-item]
    if takeover:
        data["takeover"] = True
    tx.emit("NodeStarted", key, data)
    act = tx.state.activations[key]
    if act.view is None and not resumed:
        act.view = build_view(tx.state, plan, act)
    return Claim(key, epoch, plan)


def _resume(tx: Transition, env: Env, key: str, claims: list[Claim]) -> None:
    act = tx.state.activations[key]
    if act.epoch == 0:
        _go(tx, env, key, act.node, origin=None, claims=claims)
        return
    claim = reclaim(tx, env, act)
    if claim is not None:
        claims.append(claim)


def reclaim(tx: Transition, env: Env, act: Activation, *, takeover: bool = False) -> Claim | None:
    """Claim an activation that has run before; None if it is parked for a person instead, or fails
    because the circuit to its target is open.
    """
    from engine.core.decide.in_doubt import open_doubt

    try:
        plan = tx.state.program.plan(act.node)
    except NodeError as error:
        open_doubt(tx, act, "missing_type", "type", {"message": error.message})
        return None
    if takeover and act.takeovers + 1 >= MAX_TAKEOVERS:
        open_doubt(tx, act, "poison", f"poison{act.takeovers}", {"takeovers": act.takeovers + 1})
        return None
    retrying = act.status == "retrying"
    refusal = refuse_attempt(tx, plan, act.key) if retrying else None
    if refusal is not None:
        fail_node(tx, plan, act, refusal)
        return None
    if not retrying and act.code and act.code != plan.code and act.steps:
        open_doubt(tx, act, "code_changed", "code", {"was": act.code, "is": plan.code})
        return None
    return claim_activation(
        tx,
        env,
        act.key,
        plan,
        attempt=act.attempt + 1 if retrying else act.attempt,
        resumed=not retrying,
        takeover=takeover,
    )


def _start_children(tx: Transition, env: Env, claims: list[Claim]) -> int:
    """Start a few children of suspended parents whose slots are free; return how many."""
    started = 0
    state = tx.state
    for parent_key in sorted(state.with_unstarted_children):
        parent = state.activations.get(parent_key)
        groups = [] if parent is None else parent.hungry_groups
        if parent is None or parent.expired or not groups:
            state.with_unstarted_children.discard(parent_key)
            continue
        for group in groups:
            while (
                group.has_unstarted_children
                and group.running < group.max_concurrency
                and not state.ending
            ):
                _start_child(tx, env, parent, group.path, index=group.next, claims=claims)
                started += 1
                if started == CHILDREN_AT_ONCE:
                    return started
    return started


def _start_child(
    tx: Transition, env: Env, parent: Activation, path: str, *, index: int, claims: list[Claim]
) -> None:
    child = parent.groups[path].children[index]
    node_id = child["node"]
    item = f"[{child['slot']}]" if child.get("slot") is not None else ""
    base = f"{parent.key}/{node_id}{item}"
    visit = tx.state.visits.get(base, 0) + 1
    origin: Origin = {"parent": parent.key, "path": path, "index": index}
    _begin(tx, env, f"{base}#{visit}", node_id, origin=origin, claims=claims)


def fire_timers(tx: Transition, env: Env) -> list[Claim]:
    """Fire what is due at `tx.now`: sleeps, retries, deadlines. Returns claims to execute."""
    state = tx.state
    claims: list[Claim] = []
    due = sorted((at, name) for name, (at, _key) in state.timers.items() if at <= tx.now)
    for _at, name in due:
        if name not in state.timers or state.terminal:
            continue
        kind, _, ref = name.partition(":")
        if (claim := _fire(tx, env, name, kind, ref)) is not None:
            claims.append(claim)
    deadline = run_deadline(state)
    if deadline is not None and deadline <= tx.now and not state.terminal and state.ending is None:
        limit = duration_words(state.limit("max_execution_time_ms"))
        error = NodeError("RunTimeout", f"the run took longer than {limit}, all that it may take")
        begin_ending(tx, "timeout", "timeout", error_data(error))
    return claims


def _time_out(tx: Transition, env: Env, act: Activation, timer: str) -> None:
    """Fail the attempt that slept past its `timeout_ms`; a composite's fails with its children."""
    if act.clock:
        expire(tx, act, timer)
        return
    tx.emit("TimerFired", act.key, {"timer": timer, "kind": "timeout"})
    plan = tx.state.program.plan(act.node)
    fail_attempt(tx, plan, act, timed_out(plan), env.jitter())


def _fire(tx: Transition, env: Env, name: str, kind: str, ref: str) -> Claim | None:
    """Apply one due timer; return the claim that a retry makes."""
    from engine.core.decide.interrupts import expire as expire_request

    state = tx.state
    if kind == "retry":
        return _retry(tx, env, state.activations[ref])
    if kind == "sleep":
        key, _, path = ref.rpartition("|")
        tx.emit("TimerFired", key, {"timer": name, "kind": kind, "path": path})
    elif kind == "timeout":
        _time_out(tx, env, state.activations[ref], name)
    elif kind == "expire":
        expire_request(tx, ref)
    elif kind == "remind":
        remind(tx, name)
    elif kind == "escalate":
        escalate(tx, ref)
    elif kind == "asked":
        run_on(tx, ref)
    elif kind == "ending":
        tx.emit("TimerFired", None, {"timer": name, "kind": kind})
        for key in [key for key, act in state.activations.items() if act.undoes is None]:
            cancel_activation(tx, key)
    return None


def _retry(tx: Transition, env: Env, act: Activation) -> Claim | None:
    try:
        plan = tx.state.program.plan(act.node)
    except NodeError:
        return reclaim(tx, env, act)
    if plan.pure:
        claim_activation(tx, env, act.key, plan, attempt=act.attempt + 1, resumed=False)
        evaluate_pure(tx, env, plan, act)
        return None
    return reclaim(tx, env, act)
