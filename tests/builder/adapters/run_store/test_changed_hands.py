"""Runs whose owner died, and runs below them that another worker has: nothing stands, nobody overspends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from decimal import Decimal
from typing import Any

import pytest

from builder.adapters.run_store.apart.worker_store import WorkerStore
from engine.core.budgets.ledger import BudgetRef, Hold, Refusal
from engine.core.decide.transition import Transition
from engine.core.effects import EffectClass
from engine.core.errors import RunElsewhere, StoreError, StoreUnavailable
from engine.runtime.stores.sql.writer import SqlWriter
from engine.runtime.system import NoFeed, SystemClock
from engine.scripted.script import Script
from tests.builder.store_world import (
    WAITING,
    Bare,
    Installation,
    agent,
    create,
    hold_of,
    installation,
    note,
    reserve,
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


async def test_a_worker_claims_nothing_before_it_knows_the_limits(
    installation: Installation,
) -> None:
    """I6: a bell came while it opened, and what it sent was held on no budget that is shared."""
    first = await installation.process(WAITING, kind=WorkerStore)
    await create(first, WAITING, "r1")
    await store_of(first).owned.let_go()
    store = WorkerStore(installation.look.dialect, SystemClock(), first.graphs, NoFeed())
    installation.open_stores.append(store)

    with pytest.raises(RunElsewhere):
        await store.transact("r1", None, note("word"))

    assert await store.died() == []
    assert installation.look.rows("SELECT owner FROM builder_run") == [(None,)]
    await store.open()
    await store.transact("r1", None, note("word"))


class TakenOverMeanwhile:
    """A writer during whose write something else happens."""

    def __init__(self, writer: SqlWriter, meanwhile: Callable[[], Awaitable[object]]) -> None:
        self._writer = writer
        self._meanwhile = meanwhile

    async def write(self, statements: list[Any]) -> None:
        await self._writer.write(statements)
        await self._meanwhile()


def spend(installation: Installation, run_id: str, tokens: int) -> None:
    """Move the budget of a run as another worker does."""
    installation.look.change(
        "UPDATE builder_budget SET spent_tokens = ? WHERE id = ?", (tokens, f"run:{run_id}")
    )


@pytest.mark.parametrize("comes_back", [False, True])
async def test_a_row_that_goes_while_rows_are_learnt_stops_nothing(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, comes_back: bool
) -> None:
    """I6: its run ended, or came back with newer rows, which older ones may not overwrite."""
    local = await installation.process(WAITING, kind=WorkerStore)
    store = store_of(local)
    assert isinstance(store, WorkerStore)
    for run_id in ("r1", "r2"):
        await create(Bare(store, local.graphs), WAITING, run_id)
        await reserve(local, run_id, hold_of(run_id))
        spend(installation, run_id, 5)
    store.money.doubt(["run:r1", "run:r2"])

    async def meanwhile() -> None:
        spend(installation, "r1", 9)
        if comes_back:
            await store._learn_money("r1")
        else:
            store.ledger.drop_run("r1")

    writer = TakenOverMeanwhile(store.writer, meanwhile)
    with monkeypatch.context() as patch:
        patch.setattr(store.money, "_writer", writer)
        await store.money.learn()

    assert store.ledger.rows["run:r2"].spent_tokens == 5
    await store.money.learn()
    known = store.ledger.rows.get("run:r1")
    assert (known and known.spent_tokens) == (9 if comes_back else None)


async def test_a_take_over_whose_reading_failed_is_read_again(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I6: it counted nothing of what the run had spent under its former owner."""
    first, second = [await installation.process(WAITING, kind=WorkerStore) for _ in range(2)]
    await create(Bare(store_of(first), first.graphs), WAITING, "r1")
    await reserve(first, "r1", hold_of("r1"))
    store = store_of(second)
    with monkeypatch.context() as patch:
        rows = store.reader.rows

        async def fails(sql: str, parameters: Sequence[Any] = ()) -> Any:
            if "builder_budgethold" in sql:
                raise StoreUnavailable("away")
            return await rows(sql, parameters)

        patch.setattr(store.reader, "rows", fails)
        with pytest.raises(StoreUnavailable):
            await store.transact("r1", None, note("taken over"))

    await store.transact("r1", None, note("taken over"))

    assert store.ledger.rows["run:r1"].held_tokens == 100
