"""Runs whose owner died, and runs below them that another worker has: nothing stands, nobody overspends."""

from __future__ import annotations

from decimal import Decimal

import pytest

from builder.adapters.run_store.apart.worker_store import WorkerStore
from engine.core.budgets.ledger import BudgetRef, Hold, Refusal
from engine.core.decide.transition import Transition
from engine.core.effects import EffectClass
from engine.core.errors import StoreError
from engine.scripted.script import Script
from tests.builder.store_world import (
    WAITING,
    Bare,
    Installation,
    agent,
    create,
    installation,
    note,
    spec,
    start,
    store_of,
)

__all__ = ["installation"]
MOVING = spec([agent("write")], [("__start__", "write")])
SLOW = Script.model_validate({"default": [{"text": "b", "delay_ms": 60_000}], "repeat_last": True})
LIMIT = 150


async def test_a_run_that_came_for_another_reason_is_executed_by_the_next_scan(
    installation: Installation,
) -> None:
    """I1: word for it brought it here from one who died; what that one executed nobody executes."""
    dead = await installation.process(MOVING, kind=WorkerStore, script=SLOW)
    await start(dead, MOVING, "r1")
    await dead.runner.close()
    worker = await installation.process(MOVING, kind=WorkerStore)
    await store_of(worker).transact("r1", None, note("word"))
    assert not worker.runner.executors_of("r1")

    assert await worker.runner.recovery.scan() == 1

    assert (await worker.runner.settled("r1")).status == "completed"
    assert await worker.runner.recovery.scan() == 0
    await worker.runner.close()


def below(run_id: str) -> Hold:
    return Hold(f"{run_id}:h", run_id, "a#1", ("run:r1",), 100, Decimal(0))


async def hold(worker: Bare, run_id: str) -> Refusal | None:
    """Hold for a run on the budget of `r1`; return why it does not fit. Raises `StoreError`."""
    wanted = below(run_id)

    def intend(tx: Transition) -> Refusal | None:
        refusal = tx.ledger.reserve(wanted, [BudgetRef("run:r1", "run", LIMIT, None)])
        if refusal is not None:
            return refusal
        held = {"id": wanted.id, "tokens": 100, "usd": "0", "budgets": wanted.budgets}
        step = {"path": "1", "attempt": 1, "kind": "model", "request": {}, "request_hash": "x"}
        effect = {"effect_class": EffectClass.LLM.value}
        tx.append("StepIntended", wanted.key, {**step, **effect, "hold": held})
        return None

    return await worker.store.transact(run_id, None, intend, flush=True)


async def test_a_budget_of_a_run_is_judged_by_its_row_whoever_has_the_runs_below(
    installation: Installation,
) -> None:
    """I6: two workers with a run each that spends from one above, and room for one of them."""
    workers = []
    for run_id in ("r2", "r3"):
        local = await installation.process(WAITING, kind=WorkerStore)
        workers.append(Bare(store_of(local), local.graphs))
        await create(workers[-1], WAITING, run_id)
    assert await hold(workers[0], "r2") is None

    with pytest.raises(StoreError):
        await hold(workers[1], "r3")

    refusal = await hold(workers[1], "r3")
    assert refusal is not None, "it has learnt what the other one holds"
    assert refusal.row.held_tokens == 100
    [row] = installation.look.rows("SELECT held_tokens FROM builder_budget WHERE id = 'run:r1'")
    assert tuple(row) == (100,)
