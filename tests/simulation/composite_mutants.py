"""Safeguards of composites, child runs, undos and memory, removed one at a time.

Each stands with the graph whose schedules must find it out.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from engine.core import ports
from engine.core.decide import endings
from engine.core.decide import holds as spending
from engine.core.decide.endings import fail_step
from engine.core.decide.holds import budgets_of, run_budgets
from engine.core.effects import idempotency_key
from engine.core.graph.document import GraphSpec
from engine.core.state.fold import nodes
from engine.core.state.fold.waits import finish_child
from engine.core.state.lanes import build_view
from engine.runtime import run_signals as signals
from engine.runtime.execution import call_log, calls, children, context
from tests.simulation.composites import BROKEN, EVOLVED, LEARNT, MAPPED, OUTER, TEAM, UNDONE
from tests.simulation.mutants import Patch


def parent_woken_by_each_child(patch: Patch) -> None:
    """A parent runs again whenever one of its children is done."""

    def finish(state: Any, act: Any, result: Any) -> None:
        finish_child(state, act, result)
        parent = state.activations.get(act.parent or "")
        if parent is not None and parent.waiting_on == "children" and not state.ending:
            parent.status, parent.waiting_on = "queued", None
            state.busy += 1
            state.runnable.append(parent.key)

    patch.set(nodes, "finish_child", finish)


def results_in_the_order_they_came(patch: Patch) -> None:
    """The first child that is done is taken for the first item."""

    def finish(state: Any, act: Any, result: Any) -> None:
        parent = state.activations.get(act.parent or "")
        if parent is not None:
            act.index = parent.groups[act.parent_path].results.index(None)
        finish_child(state, act, result)

    patch.set(nodes, "finish_child", finish)


def held_money_of_a_child_forgotten(patch: Patch) -> None:
    """What a child held when its process died is given back, although the call may have been made."""

    def fail(tx: Any, key: str, attempt: int, path: str, *, hold_id: Any, message: str) -> None:
        if "/" not in key or hold_id not in tx.state.holds:
            fail_step(tx, key, attempt, path, hold_id=hold_id, message=message)
            return
        tx.ledger.settle(hold_id, 0, Decimal(0), "released")
        error = {"code": "OutcomeUnknown", "message": message}
        data = {"path": path, "attempt": attempt, "error": error, "hold": hold_id}
        tx.emit("StepFailed", key, {**data, "tokens": 0, "cost_usd": "0"})

    patch.set(call_log, "fail_step", fail)
    patch.set(endings, "fail_step", fail)


def cap_of_a_composite_not_for_its_children(patch: Patch) -> None:
    """Calls of a child are held on its own cap and the run's, not on those around it."""

    def budgets(state: Any, key: str) -> Any:
        own = f"node:{state.run_id}:{key}"
        return [ref for ref in budgets_of(state, key) if ref.level != "node" or ref.id == own]

    patch.set(children, "budgets_of", budgets)
    patch.set(spending, "budgets_of", budgets)


def child_run_outside_the_budgets_around_it(patch: Patch) -> None:
    """A child run spends without being held on the budgets of the run that asked for it."""
    original = children._parent

    def parent(state: Any, ctx: Any, path: str) -> Any:
        return {**original(state, ctx, path), "budgets": []}

    patch.set(children, "_parent", parent)


def run_that_follows_outside_its_budgets(patch: Patch) -> None:
    """A run that another one handed over to has a fresh budget."""
    patch.set(signals, "run_budgets", lambda state: run_budgets(state)[1:])


def word_between_runs_forgotten_before_its_effect(patch: Patch) -> None:
    """A signal is crossed off first and delivered then."""

    async def a_round(self: Any) -> bool:
        for number, (topic, ref, payload) in await self._runner.store.signals():
            await self._runner.store.delivered(number)
            await self._deliver(topic, ref, payload)
        return False

    patch.set(signals.Signals, "_round", a_round)


def hand_over_starts_another_run_each_time(patch: Patch) -> None:
    """The run that follows does not have the id that was announced."""
    original = signals.Signals._start_transition

    async def start(self: Any, run_id: str, payload: Any) -> None:
        await original(self, self._runner.entropy.new_id(), payload)

    patch.set(signals.Signals, "_start_transition", start)


def undo_under_a_new_key_after_a_crash(patch: Patch) -> None:
    """An undo that is taken over counts as another call."""
    original = calls.Calls.key

    def key(self: Any, path: str, sent: Any = None) -> str:
        ctx = self._ctx
        if ctx.act.undoes is None:
            return original(self, path, sent)
        return idempotency_key(ctx.run_id, ctx.act.key, ctx.act.epoch, path)

    patch.set(calls.Calls, "key", key)


def undos_of_a_child_run_lost(patch: Patch) -> None:
    """A child run that completed leaves nothing to be undone."""
    patch.set(endings, "inherited_compensations", lambda _state: [])


def undos_of_a_cancelled_run_made(patch: Patch) -> None:
    """A person who cancels a run finds its work undone."""
    patch.set(
        endings,
        "pending_compensations",
        lambda state: state.ending is not None and bool(state.compensations),
    )
    from engine.core.decide import undo

    patch.set(undo, "pending_compensations", endings.pending_compensations)


def second_look_not_journaled(patch: Patch) -> None:
    """A supervisor that runs again sees what stands in memory by now."""

    async def look(host: Any, ctx: Any) -> Any:
        ctx.path()
        return build_view(host.state_of(ctx.run_id), ctx.plan, ctx.act)

    patch.set(context, "look", look)


def chance_not_journaled(patch: Patch) -> None:
    """A replay throws its dice again."""

    async def random(self: Any) -> float:
        self.path()
        return float(self._host.entropy.random())

    patch.set(context.ActivationContext, "random", random)


def facts_stored_again_by_each_try(patch: Patch) -> None:
    """The identity of what was learned depends on the try."""
    tries = itertools.count()
    patch.set(ports.FactSource, "id", property(lambda _self: f"try {next(tries)}"))


MUTANTS: dict[str, tuple[Callable[[Patch], None], GraphSpec]] = {
    mutant.__name__: (mutant, spec)
    for mutant, spec in (
        (parent_woken_by_each_child, MAPPED),
        (results_in_the_order_they_came, MAPPED),
        (held_money_of_a_child_forgotten, MAPPED),
        (cap_of_a_composite_not_for_its_children, MAPPED),
        (child_run_outside_the_budgets_around_it, OUTER),
        (run_that_follows_outside_its_budgets, BROKEN),
        (word_between_runs_forgotten_before_its_effect, OUTER),
        (hand_over_starts_another_run_each_time, BROKEN),
        (undo_under_a_new_key_after_a_crash, UNDONE),
        (undos_of_a_child_run_lost, OUTER),
        (undos_of_a_cancelled_run_made, UNDONE),
        (second_look_not_journaled, TEAM),
        (chance_not_journaled, EVOLVED),
        (facts_stored_again_by_each_try, LEARNT),
    )
}
