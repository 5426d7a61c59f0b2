"""Undoing what completed: which calls are owed, when one is made, and what becomes of it.

A node with `requires_compensation` leaves its undo, rendered when it completes, on the run's stack.
When the run fails or times out the stack is worked off from the top, one call after the other, as
activations of their own (`charge[undo]#1`): journaled, taken over after a crash, parked in doubt
where an unsafe call may have happened. A failing undo is recorded and the next one follows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core.decide.endings import cancel_activation, pending_compensations, waits_for_children
from engine.core.errors import NodeError
from engine.core.graph.document import FailurePolicy, NodeSpec
from engine.core.node_types.node_type import NodeResult, NodeType, Undo
from engine.core.node_types.view import View, ViewDraft
from engine.core.state.event_types.activations import CompensationRun
from engine.core.state.lanes import build_view, merge_write
from engine.core.state.program import NodePlan
from engine.core.state.run_state import Activation, Compensation, RunState
from engine.core.values.json import FrozenDict, freeze

if TYPE_CHECKING:
    from engine.core.decide.scheduler import Claim
    from engine.core.decide.transition import Transition
    from engine.core.node_types.context import NodeContext
    from engine.core.state.lanes import Landed

MAX_TRIES = 3
"""Claims of one undo before it is given up: each of them ended with its process."""


def undo_of(tx: Transition, plan: NodePlan, act: Activation, landed: Landed) -> FrozenDict | None:
    """Return the undo that a completing activation owes, as its event carries it; None without.

    Asked of nodes that require compensation. Its templates see what the node saw, and what it
    gave. Raises `NodeError` `MissingReference`.
    """
    found = plan.type.undo_of(plan.config, _scope(tx, plan, act, landed))
    if found is None:
        return None
    if not isinstance(found, Undo):
        cure = f"undo_of() of node type {plan.type.type!r} must return an Undo, not {found!r:.60}"
        raise NodeError("NodeConfigInvalid", cure)
    return FrozenDict(
        {
            "type": plan.type.type,
            "tool": found.name,
            "request": found.request,
            "timeout_ms": plan.policy.timeout_ms,
        }
    )


def _scope(tx: Transition, plan: NodePlan, act: Activation, landed: Landed) -> dict[str, Any]:
    """Return the node's own view with its result keys and its output in it."""
    writes, results, output, metadata = landed
    view = act.view or build_view(tx.state, plan, act)
    scope = view.scope()
    written = {
        key: merge_write(tx.state, key, value, replace=plan.merge == "replace")
        for key, value in writes.items()
        if not act.isolated and ("*" in plan.read_keys or key in plan.read_keys)
    }
    scope["memory"] = FrozenDict({**view.memory, **written, **results})
    scope["outputs"] = FrozenDict({**view.outputs, plan.id: output})
    if view.may_read("metadata"):
        scope["metadata"] = FrozenDict({**view.metadata, **metadata})
    return scope


def view_of(scope: FrozenDict) -> View:
    """Return a view of what an undo was given to read."""
    view = ViewDraft()
    for name in ("goal", "constraints", "memory", "outputs", "metadata", "context"):
        setattr(view, name, scope.get(name, getattr(view, name)))
    bound = frozenset(name for name in ("input", "previous") if name in scope)
    view.grant(bound, input_=scope.get("input"), previous=scope.get("previous"))
    return view.sealed()


def next_undo(tx: Transition) -> list[Claim]:
    """Claim the undo that is due: one that goes on, else the next one once all else has ended."""
    state = tx.state
    for act in [state.activations[key] for key in state.runnable]:
        if act.undoes is not None:
            return resume_undo(tx, act)
        cancel_activation(tx, act.key)  # what it waited for is over, and nothing starts any more
    if state.activations or waits_for_children(state) or not pending_compensations(state):
        return []
    entry = state.compensations[-1]
    return [_claim(tx, undo_key(entry.key, state.undone + 1), entry, epoch=1)]


def undo_key(key: str, number: int) -> str:
    """Return the activation under which an undo of `key` runs: `charge#2` → `charge[undo1]#2`.

    `number` counts the undos of the run: two of one key have idempotency keys of their own.
    """
    base, _, visit = key.rpartition("#")
    return f"{base}[undo{number}]#{visit}"


def resume_undo(tx: Transition, act: Activation, *, takeover: bool = False) -> list[Claim]:
    """Claim an undo again, after a person's word or a crash; give up one that kills its process."""
    assert act.undoes is not None
    if takeover and act.takeovers + 1 >= MAX_TRIES:
        message = f"its process ended {act.takeovers + 1} times while it ran"
        finish_undo(tx, act, error=NodeError("HandlerFailed", message))
        return next_undo(tx)
    return [_claim(tx, act.key, act.undoes, epoch=act.epoch + 1, takeover=takeover)]


def _claim(
    tx: Transition, key: str, entry: Compensation, *, epoch: int, takeover: bool = False
) -> Claim:
    from engine.core.decide.scheduler import Claim

    tx.emit(
        "CompensationStarted",
        key,
        {"node": entry.node, "tool": entry.tool, "epoch": epoch, "takeover": takeover},
    )
    return Claim(key, epoch, _plan(tx.state, entry))


def finish_undo(
    tx: Transition, act: Activation, *, result: object = None, error: NodeError | None = None
) -> None:
    """Record how an undo ended; the next one follows."""
    from engine.core.decide.endings import close_attempt
    from engine.core.state.events import error_data

    assert act.undoes is not None
    close_attempt(tx, act)
    data: CompensationRun = {"node": act.undoes.node, "tool": act.undoes.tool, "ok": error is None}
    if error is None:
        data["result"] = freeze(result)
    else:
        data["error"] = error_data(error)
    tx.emit("CompensationRun", act.key, data)


class _Undoing(NodeType):
    """Make one undo call through the type of the node that it undoes."""

    type = "undo"
    label = "Undo"

    def __init__(self, of: NodeType | None) -> None:
        self._of = of

    async def run(self, ctx: NodeContext, config: Compensation) -> NodeResult:
        """Return what the undo returned. Raises `NodeError` `NodeTypeMissing`."""
        if self._of is None:
            name = config.request["type"]
            raise NodeError("NodeTypeMissing", f"node type {name!r} is not installed")
        value = await self._of.undo(ctx, config.request["request"])
        return value if isinstance(value, NodeResult) else NodeResult(output=value)


def _plan(state: RunState, entry: Compensation) -> NodePlan:
    """Return how an undo is executed: once, by the type of the node, without keys of its own."""
    policy = FailurePolicy(max_retries=0, timeout_ms=entry.request["timeout_ms"])
    spec = NodeSpec(id=entry.node, type=entry.request["type"], failure_policy=policy)
    found = state.program.types.find(entry.request["type"])
    return NodePlan(
        id=entry.node,
        spec=spec,
        type=_Undoing(found),
        config=entry,
        read_keys=(),
        write_keys=(),
        own_keys=frozenset(),
        memory_reads=(),
        output_reads=(),
        merge="deep",
        policy=policy,
        pure=False,
        code="",
        agent_id=None,
    )
