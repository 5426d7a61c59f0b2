"""Commits whose answer is lost, of a worker among others: their money counts once."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from decimal import Decimal
from typing import Any, TypeAlias

import pytest

from builder.adapters.run_store.apart.worker_store import WorkerStore
from engine.core.budgets.ledger import BudgetRef, Hold
from engine.core.decide.transition import Transition
from engine.core.effects import EffectClass
from engine.core.errors import StoreError
from tests.builder.adapters.run_store.test_apart import lost_answer
from tests.builder.store_world import (
    WAITING,
    Bare,
    Installation,
    create,
    installation,
    settle,
    store_of,
)

__all__ = ["installation"]
Act: TypeAlias = Callable[[], Coroutine[Any, Any, None]]
ALL = "workspace:home"
"""A budget that all runs of the workspace share."""
HOLD = Hold("r1:h", "r1", "a#1", ("run:r1", ALL), 100, Decimal(0))


async def hold(worker: Bare) -> None:
    refs = [BudgetRef("run:r1", "run", 1_000, None), BudgetRef(ALL, "workspace", 1_000, None)]

    def intend(tx: Transition) -> None:
        assert tx.ledger.reserve(HOLD, refs) is None
        held = {"id": HOLD.id, "tokens": 100, "usd": "0", "budgets": HOLD.budgets}
        step = {"path": HOLD.id, "attempt": 1, "kind": "model", "request": {}, "request_hash": "x"}
        effect = {"effect_class": EffectClass.LLM.value}
        tx.append("StepIntended", HOLD.key, {**step, **effect, "hold": held})

    await worker.store.transact("r1", None, intend, flush=True)


def money(worker: Bare, installation: Installation) -> list[tuple[int, int]]:
    """Return what the worker believes was spent and is held of both budgets; the rows say the same."""
    found = []
    for row_id in ("run:r1", ALL):
        row = worker.store.ledger.rows[row_id]
        query = "SELECT spent_tokens, held_tokens FROM builder_budget WHERE id = ?"
        [said] = installation.look.rows(query, (row_id,))
        assert (row.spent_tokens, row.held_tokens) == tuple(said), row_id
        found.append(tuple(said))
    return found


@pytest.mark.parametrize("lost", ["hold", "settlement"])
async def test_a_commit_whose_answer_is_lost_counts_once(
    installation: Installation, lost: str
) -> None:
    """I6: it has landed, and the worker learns of it from the rows, not a second time from the log."""
    local = await installation.process(WAITING, kind=WorkerStore)
    worker = Bare(store_of(local), local.graphs)
    await create(worker, WAITING, "r1")
    if lost == "hold":
        with lost_answer(worker.store), pytest.raises(StoreError):
            await hold(worker)
        await worker.store.warm("r1")
        assert money(worker, installation) == [(0, 100)] * 2
        await settle(worker, "r1", HOLD, 30)
    else:
        await hold(worker)
        with lost_answer(worker.store), pytest.raises(StoreError):
            await settle(worker, "r1", HOLD, 30)
        await worker.store.warm("r1")

    assert money(worker, installation) == [(30, 0)] * 2


async def test_what_is_held_stays_known_while_one_looks_back(installation: Installation) -> None:
    """Rows are the truth of a run that is loaded; of one in memory they do not have all yet."""
    local = await installation.process(WAITING, kind=WorkerStore)
    worker = Bare(store_of(local), local.graphs)
    await create(worker, WAITING, "r1")
    await hold(worker)
    store = worker.store
    known = store.ledger.holds[HOLD.id]
    store.owned.came.add("r1")

    await store.state("r1", 1)
    await store.state("r1")

    assert store.ledger.holds[HOLD.id] is known
