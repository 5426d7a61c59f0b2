"""Stores of processes that share a database: runs that are nobody's yet, and those of others."""

from __future__ import annotations

import pytest

from builder.adapters.run_store.apart.unowned_store import UnownedStore
from builder.adapters.run_store.apart.worker_store import WorkerStore
from engine.core.errors import RunElsewhere
from tests.builder.store_world import (
    WAITING,
    Bare,
    Installation,
    create,
    hold_of,
    installation,
    note,
    reserve,
    settle,
    store_of,
)

__all__ = ["installation"]


async def test_a_start_is_nobodys_and_wants_to_be_looked_at(installation: Installation) -> None:
    web = await installation.process(WAITING, kind=UnownedStore)
    worker = await installation.process(WAITING, kind=WorkerStore)
    await create(web, WAITING, "r1")

    [row] = installation.look.rows("SELECT owner, owner_epoch FROM builder_run")
    assert tuple(row) == (None, 0)
    assert web.store.peek("r1") is None
    assert (await web.store.warm("r1")).seq == 1
    with pytest.raises(RunElsewhere):
        await web.store.transact("r1", None, note("mine"))
    assert await worker.store.movable() == ["r1"]
    assert await worker.runner.recovery.scan() == 1
    [row] = installation.look.rows("SELECT owner, owner_epoch FROM builder_run")
    assert tuple(row) == (store_of(worker).owned.worker, 1)
    assert (await worker.runner.settled("r1")).status == "waiting"
    await worker.runner.close()


async def test_a_worker_learns_what_a_run_has_cost_under_another(
    installation: Installation,
) -> None:
    """I6: both were open when the run began; the second one takes it over."""
    stores = []
    for _ in range(2):
        local = await installation.process(WAITING, kind=WorkerStore)
        stores.append(Bare(store_of(local), local.graphs))
    first, second = stores
    await create(first, WAITING, "r1")
    spent, held = hold_of("r1", "spent"), hold_of("r1", "held")
    await reserve(first, "r1", spent)
    await settle(first, "r1", spent, 30)
    await reserve(first, "r1", held)

    await second.store.transact("r1", None, note("taken over"))

    row = second.store.ledger.rows["run:r1"]
    assert (row.spent_tokens, row.held_tokens) == (30, 100)
    assert list(second.store.ledger.holds) == [held.id]


async def test_a_worker_begins_with_what_is_left_to_it(installation: Installation) -> None:
    first = await installation.process(WAITING, kind=WorkerStore)
    await create(first, WAITING, "r1")
    second = await installation.process(WAITING, kind=WorkerStore)
    [row] = installation.look.rows("SELECT owner_epoch FROM builder_run")
    assert tuple(row) == (1,), "a beginning claims nothing"
    assert await second.store.died() == ["r1"]

    await store_of(first).owned.let_go()

    assert await second.store.died() == []
    assert await second.store.movable() == ["r1"]
