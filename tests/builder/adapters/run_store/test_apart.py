"""Stores of processes that share a database: runs that are nobody's yet, and those of others."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import pytest

from builder.adapters.run_store.apart.unowned_store import UnownedStore
from builder.adapters.run_store.apart.worker_store import WorkerStore
from builder.adapters.run_store.database import DatabaseRunStore
from engine.core.errors import Fenced, RunElsewhere, StoreError
from engine.local import Local, LocalGraphs
from engine.runtime.stores.sql.writer import Job
from engine.scripted.script import Script
from tests.builder.databases import Database
from tests.builder.store_world import (
    WAITING,
    Bare,
    Installation,
    agent,
    create,
    hold_of,
    installation,
    lives,
    note,
    reserve,
    settle,
    spec,
    store_of,
)
from tests.e2e.server import wait_until

__all__ = ["installation"]
BACKLOG = tuple(f"r{n}" for n in range(6))
MOVING = spec([agent("write")], [("__start__", "write")])
SLOW = Script.model_validate({"default": [{"text": "b", "delay_ms": 60_000}], "repeat_last": True})


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


async def test_a_claim_whose_answer_was_lost_is_found_by_the_next_scan(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row names this worker, which is alive and holds nothing: no other one may take the run."""
    web = await installation.process(WAITING, kind=UnownedStore)
    await create(web, WAITING, "r1")
    worker = await installation.process(WAITING, kind=WorkerStore)
    monkeypatch.setattr(worker.runner.services, "report", lambda _error: None)
    store = store_of(worker)
    lives(installation, store)
    with lost_answer(store):
        await worker.runner.recovery.scan()
    [row] = installation.look.rows("SELECT owner FROM builder_run")
    assert (row[0], worker.store.peek("r1")) == (store.owned.worker, None)

    assert await worker.runner.recovery.scan() == 1

    assert (await worker.runner.settled("r1")).status == "waiting"
    await worker.runner.close()


async def test_after_a_lost_answer_a_worker_learns_what_the_former_one_spent(
    installation: Installation,
) -> None:
    """I6: the second look finds the run its own already, and knows as little as the first."""
    stores = []
    for _ in range(2):
        local = await installation.process(WAITING, kind=WorkerStore)
        stores.append(Bare(store_of(local), local.graphs))
    first, second = stores
    await create(first, WAITING, "r1")
    spent = hold_of("r1", "spent")
    await reserve(first, "r1", spent)
    await settle(first, "r1", spent, 30)
    with lost_answer(second.store), pytest.raises(StoreError):
        await second.store.warm("r1")

    await second.store.warm("r1")

    assert second.store.ledger.rows["run:r1"].spent_tokens == 30


async def test_a_worker_that_begins_anew_is_another_one(installation: Installation) -> None:
    """What its former self had on its way must not land in what the new one goes on with."""
    begun = [await installation.process(WAITING, kind=WorkerStore) for _ in range(2)]
    await create(begun[0], WAITING, "r1")
    former, anew = map(store_of, begun)

    await anew.transact("r1", None, note("anew"))

    with pytest.raises(Fenced):
        await former.transact("r1", None, note("of the former"))
    [row] = installation.look.rows("SELECT owner, owner_epoch FROM builder_run")
    assert tuple(row) == (anew.owned.worker, 2)
    assert former.owned.worker != anew.owned.worker


async def two_full_soon(installation: Installation) -> list[Local]:
    """Return two workers with room for half of a backlog each, of runs that take long."""
    web = await installation.process(MOVING, kind=UnownedStore)
    for run_id in BACKLOG:
        await create(web, MOVING, run_id)
    workers = []
    for _ in range(2):
        local = await installation.process(MOVING, kind=WorkerStore, script=SLOW)
        lives(installation, store_of(local))
        cast(WorkerStore, local.store).under_way = len(BACKLOG) // 2
        workers.append(local)
    return workers


async def test_two_workers_share_a_backlog(installation: Installation) -> None:
    """Each takes the oldest that it has room for, and leaves the others."""
    workers = await two_full_soon(installation)

    assert await workers[0].runner.recovery.scan() == 3

    assert cast(WorkerStore, workers[0].store).left_some
    assert await workers[0].runner.recovery.scan() == 0, "it is full"
    assert await workers[1].runner.recovery.scan() == 3
    rows = installation.look.rows("SELECT id, owner, owner_epoch FROM builder_run ORDER BY id")
    names = [store_of(worker).owned.worker for worker in workers]
    assert rows == [(run_id, names[run_id >= "r3"], 1) for run_id in BACKLOG]
    for worker in workers:
        await worker.runner.close()


async def test_two_workers_that_look_at_once_claim_each_run_once(
    installation: Installation,
) -> None:
    workers = await two_full_soon(installation)

    for _ in BACKLOG:
        await asyncio.gather(*(worker.runner.recovery.scan() for worker in workers))

    rows = installation.look.rows("SELECT owner, owner_epoch FROM builder_run")
    counted = Counter(owner for owner, _epoch in rows)
    assert counted == {store_of(worker).owned.worker: 3 for worker in workers}
    assert {epoch for _owner, epoch in rows} == {1}
    for worker in workers:
        await worker.runner.close()


async def test_runs_that_only_wait_take_no_room(installation: Installation) -> None:
    web = await installation.process(WAITING, kind=UnownedStore)
    worker = await installation.process(WAITING, kind=WorkerStore)
    store = cast(WorkerStore, worker.store)
    store.under_way = 1
    for run_id in ("r1", "r2"):
        await create(web, WAITING, run_id)

    for run_id in ("r1", "r2"):
        assert await worker.runner.recovery.scan() == 1
        assert (await worker.runner.settled(run_id)).status == "waiting"
        assert store.room() == 1

    assert await worker.runner.recovery.scan() == 0
    assert not store.left_some
    await worker.runner.close()


@pytest.mark.postgres
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_a_commit_locks_its_runs_in_the_order_of_their_numbers(
    installation: Installation, database: Database
) -> None:
    """Wherever their rows lie: two who lock the same runs never wait for each other."""
    store = store_of(await installation.process(WAITING, kind=WorkerStore))
    local = Bare(store, LocalGraphs([WAITING]))
    for run_id in ("r1", "r2", "r3"):
        await create(local, WAITING, run_id)
    database.change("UPDATE builder_run SET place_at = place_at WHERE id = 'r1'")  # lies last now
    fences = dict(database.rows("SELECT number, owner_epoch FROM builder_run"))
    await store.writer.write([("SET enable_indexscan = off", ())])
    other = database.dialect.connect()
    other.execute("BEGIN")
    other.execute("SELECT 1 FROM builder_run WHERE id = 'r2' FOR UPDATE")
    jobs = [Job([], fence=fence) for fence in fences.items()]
    commit = asyncio.ensure_future(asyncio.to_thread(store.writer._apply, jobs))

    def is_waited_for() -> bool:
        waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'"
        return bool(database.rows(waiting))

    try:
        await asyncio.to_thread(wait_until, is_waited_for, "the lock of the second")
        free = database.rows("SELECT id FROM builder_run ORDER BY id FOR UPDATE SKIP LOCKED")
    finally:
        other.execute("ROLLBACK")
        other.close()
        await commit

    assert free == [("r3",)]
    assert [job.error for job in jobs] == [None] * 3


@contextmanager
def lost_answer(store: DatabaseRunStore) -> Iterator[None]:
    """Let what a store writes land, and its answer be lost."""
    real = store.writer._apply

    def apply(jobs: list[Job]) -> None:
        real(jobs)
        for job in jobs:
            job.error = StoreError("the answer was lost")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.writer, "_apply", apply)
        yield
