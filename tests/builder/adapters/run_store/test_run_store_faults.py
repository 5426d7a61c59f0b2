"""The run store when writes are refused, waiters leave and logs cannot be read."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

import pytest

from builder.adapters.run_store.database import DatabaseRunStore
from engine.core.errors import StorageFull, StoreError
from engine.core.state.requests import CLI, Answer
from engine.local import Local
from engine.runtime.mailbox import wishes
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.sql.event_keys import IN_LOG
from engine.runtime.stores.sql.statements import Fence, Rows, Statement
from engine.runtime.stores.sql.writer import Conflict, SqlWriter
from tests.builder.databases import (
    Database,
)
from tests.builder.store_world import (
    BUSY,
    WAITING,
    Installation,
    approve,
    create,
    hold_of,
    installation,
    note,
    reserve,
    settle,
    start,
    store_of,
)
from tests.engine import posted

__all__ = ["installation"]


# --- many at once, and refusals ----------------------------------------------------------------


async def test_fifty_runs_share_commits(installation: Installation) -> None:
    local = await installation.process()
    for n in range(50):
        await create(local, BUSY, f"r{n}")
    before = store_of(local).writer.commits

    await asyncio.gather(*(local.store.transact(f"r{n}", None, note("x")) for n in range(50)))

    assert store_of(local).writer.commits - before <= 10
    assert {(await local.store.state(f"r{n}")).seq for n in range(50)} == {2}


async def test_a_refused_job_takes_no_other_down(installation: Installation) -> None:
    """A conflict and a value that no column holds fail alone; the writer goes on."""
    writer = SqlWriter(installation.look.dialect)
    insert = "INSERT INTO builder_blob (hash, size, data) VALUES (?, ?, ?)"

    def job(name: str, size: Any = 1) -> list[Statement]:
        return [(insert, (f"{name} first", 1, b"x")), (insert, (name, size, b"x"))]

    await writer.write(job("taken"))
    ends = await asyncio.gather(
        writer.write(job("a")),
        writer.write(job("taken")),
        writer.write(job("b", 2**70)),
        writer.write(job("c")),
        return_exceptions=True,
    )
    alone = await asyncio.gather(writer.write(job("d", 2**70)), return_exceptions=True)
    await writer.write(job("e"))
    writer.close()

    assert [type(end) for end in ends] == [type(None), Conflict, StoreError, type(None)]
    assert type(alone[0]) is StoreError
    kept = {row[0] for row in installation.look.rows("SELECT hash FROM builder_blob")}
    assert kept == {f"{n}{s}" for n in ("a", "c", "e", "taken") for s in ("", " first")}


async def test_who_stops_waiting_stops_no_write(installation: Installation) -> None:
    """A cancelled executor must not end the writer, nor part memory from the log."""
    local = await installation.process()
    await create(local, BUSY, "r1")
    for n in range(20):
        waiter = asyncio.ensure_future(local.store.transact("r1", None, note(str(n))))
        await asyncio.sleep(0)
        waiter.cancel()
        await asyncio.gather(waiter, return_exceptions=True)

    await local.store.transact("r1", None, note("last"))

    assert len(await local.store.events("r1")) == (await local.store.warm("r1")).seq == 22


class BrokenStore(DatabaseRunStore):
    """Refuses the next writes as a full disk would, when told to."""

    refuse = 0

    def _persist_at_once(self, batch: Batch) -> bool:
        return not self.refuse and super()._persist_at_once(batch)

    async def _persist(self, batch: Batch) -> None:
        if self.refuse:
            self.refuse -= 1
            real, self.writer = self.writer, FullDisk()
            try:
                await super()._persist(batch)
            finally:
                self.writer = real
        await super()._persist(batch)


class FullDisk(SqlWriter):
    """A writer without a database."""

    def __init__(self) -> None:
        self.commits = 0

    async def write(
        self, statements: list[Statement], bulk: Rows | None = None, fence: Fence | None = None
    ) -> None:
        raise StoreError("the database refused to write: database or disk is full")


async def test_a_refused_write_loses_no_committed_event_and_the_run_comes_back(
    installation: Installation,
) -> None:
    """I1, I3."""
    local = await installation.process(kind=BrokenStore)
    store = local.store
    assert isinstance(store, BrokenStore)
    run_id = await start(local, BUSY, "r1")
    await local.runner.settled(run_id)
    before = await store.events(run_id)
    store.refuse = 1

    (opened,) = (await local.runner.settled(run_id)).interrupts.values()
    yes = Answer("", opened.content_hash, "approved")

    with pytest.raises(StoreError):
        await posted.ask(local.runner, run_id, wishes.answer(opened.request_id, yes, CLI))

    assert await store.events(run_id) == before
    await local.runner.recover()
    state = await local.runner.settled(run_id)  # what was said was kept, and counts now
    assert state.status == "completed"
    events = await store.events(run_id)
    assert events[: len(before)] == before
    assert [e.seq for e in events] == list(range(1, len(events) + 1))
    await local.runner.close()


async def test_money_of_a_refused_write_is_put_right_when_the_run_comes_back(
    installation: Installation,
) -> None:
    """I6."""
    local = await installation.process(kind=BrokenStore)
    store = local.store
    assert isinstance(store, BrokenStore)
    await create(local, BUSY, "r1")
    ghost, real = hold_of("r1", "ghost"), hold_of("r1", "real")
    await reserve(local, "r1", real)
    store.refuse = 1
    with pytest.raises(StoreError):
        await reserve(local, "r1", ghost)
    await store.warm("r1")
    assert (store.ledger.rows["run:r1"].held_tokens, list(store.ledger.holds)) == (100, [real.id])

    store.refuse = 1
    with pytest.raises(StoreError):
        await settle(local, "r1", real, 40)
    await store.warm("r1")
    assert store.ledger.rows["run:r1"].held_tokens == 100

    await settle(local, "r1", real, 40)
    assert store.ledger.rows["run:r1"].held_tokens == 0
    assert store.ledger.rows["run:r1"].spent_tokens >= 40
    # the runner may have moved the run on meanwhile, on budgets of its nodes
    counted = "SELECT spent_tokens, held_tokens FROM builder_budget WHERE id = 'run:r1'"
    assert installation.look.rows(counted) == [(40, 0)]


async def test_a_database_that_turns_read_only_refuses_and_recovers(
    database: Database,
) -> None:
    """I1."""
    if database.path is None:
        pytest.skip("a file's property")
    dialect = database.dialect
    broken = [False]

    def connect() -> Any:
        connection = dialect.connect()
        connection.execute(f"PRAGMA query_only={int(broken[0])}")
        return connection

    installation = Installation(Database(replace(dialect, connect=connect), database.path))
    local = await installation.process()
    writer = store_of(local).writer
    await create(local, BUSY, "r1")
    with writer._applying:
        writer._connection.execute("PRAGMA query_only=1")

    with pytest.raises(StoreError):
        await local.store.transact("r1", None, note("refused"))

    await local.store.transact("r1", None, note("kept"))
    # what follows them, where the run has been taken over by now, is no matter here
    told = [e.type for e in await local.store.events("r1")]
    assert (told[:2], told.count("WriteDropped")) == (["RunStarted", "WriteDropped"], 1)
    installation.close()


class Disk:
    """A disk that can be full: SQLite may not grow its file beyond what it has."""

    def __init__(self) -> None:
        self.is_full = False

    def on(self, database: Database) -> Installation:
        """Return an installation on this disk."""
        dialect = database.dialect

        def connect() -> Any:
            connection = dialect.connect()
            if self.is_full:
                [pages] = connection.execute("PRAGMA page_count").fetchone()
                connection.execute(f"PRAGMA max_page_count={pages}")
            return connection

        return Installation(Database(replace(dialect, connect=connect), database.path))

    def fill(self, local: Local) -> None:
        """Let no connection that is made from here on write more than there is room for."""
        self._set(local, True)

    def clear(self, local: Local) -> None:
        """Give room again."""
        self._set(local, False)

    def _set(self, local: Local, is_full: bool) -> None:
        """Begin another connection; SQLite's library dies where one is closed that is in use."""
        writer = store_of(local).writer
        with writer._applying:
            self.is_full = is_full
            writer._reset()


async def test_a_full_disk_is_named_and_with_room_every_run_moves_by_itself(
    database: Database,
) -> None:
    """I1: Waiting runs are decided while the disk is full, twice; none stays behind."""
    if database.path is None:
        pytest.skip("a file's property")
    disk = Disk()
    installation = disk.on(database)
    local = await installation.process(BUSY)
    runs = [await start(local, BUSY, f"r{n}") for n in range(5)]
    for run_id in runs:
        await local.runner.settled(run_id)
    disk.fill(local)

    large = "x" * 200_000
    for _ in range(2):
        refused = await asyncio.gather(
            *(local.store.transact(run_id, None, note(large + run_id)) for run_id in runs),
            *(local.store.transact(run_id, None, note(run_id + large)) for run_id in runs),
            start(local, BUSY, f"new{large}"),
            return_exceptions=True,
        )
        assert {type(one) for one in refused} == {StorageFull}
        await asyncio.sleep(0)
    disk.clear(local)

    for run_id in runs:
        await approve(local, run_id)
    ends = [await local.runner.settled(run_id) for run_id in runs]
    assert {state.status for state in ends} == {"completed"}
    for run_id in runs:
        events = await local.store.events(run_id)
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
    await local.runner.close()
    installation.close()


async def test_many_who_load_a_run_at_once_can_all_write_it(installation: Installation) -> None:
    """I1: Who shares a load was woken before the run's number was read, and died by `KeyError`."""
    local = await installation.process()
    await create(local, BUSY, "r1")
    local.store.forget("r1")

    await asyncio.gather(*(local.store.transact("r1", None, note(str(n))) for n in range(20)))

    assert [e.seq for e in await local.store.events("r1")] == list(range(1, 22))


async def test_who_comes_while_a_run_is_claimed_anew_claims_it_no_second_time(
    installation: Installation,
) -> None:
    """I1: A second claim raised the epoch under the feet of the first, whose commit was refused."""
    local = await installation.process()
    await create(local, BUSY, "r1")
    store = store_of(local)
    epoch = "SELECT owner_epoch FROM builder_run WHERE id = 'r1'"
    [(before,)] = installation.look.rows(epoch)
    store.forget("r1")
    store.owned.doubt("r1")

    await asyncio.gather(*(store.transact("r1", None, note(str(n))) for n in range(20)))

    assert installation.look.rows(epoch) == [(before + 1,)]
    await local.runner.close()
    installation.close()


async def test_what_cannot_be_made_into_rows_loses_the_run_and_it_comes_back(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I1: A state that is ahead of its log is dropped, whatever kept the rows from being made."""
    local = await installation.process()
    await create(local, BUSY, "r1")
    store = store_of(local)
    monkeypatch.setattr(store, "_prepare", failing)

    with pytest.raises(ZeroDivisionError):
        await store.transact("r1", None, note("lost"))

    monkeypatch.undo()
    assert store.peek("r1") is None
    await store.transact("r1", None, note("kept"))
    events = await store.events("r1")  # the run may have come back by now, and gone on
    assert [e.seq for e in events] == list(range(1, len(events) + 1))
    noted = [e.data["keys"] for e in events if e.type == "WriteDropped"]
    assert [list(keys) for keys in noted] == [["kept"]]


def failing(batch: Batch) -> None:
    raise ZeroDivisionError


# --- taking over -------------------------------------------------------------------------------


async def test_two_hundred_waiting_runs_are_taken_over_quickly(
    installation: Installation,
) -> None:
    """I8."""
    local = await installation.process(WAITING)
    for n in range(200):
        await start(local, WAITING, f"r{n}")
        await local.runner.settled(f"r{n}")
    await local.runner.close()

    again = await installation.process(WAITING)
    began = time.process_time()
    assert await again.runner.recover() == 200
    assert time.process_time() - began < 2
    await approve(again, "r199")
    assert (await again.runner.settled("r199")).status == "completed"
    await again.runner.close()


async def test_a_run_that_cannot_be_read_stops_no_other(installation: Installation) -> None:
    """I1."""
    local = await installation.process(WAITING)
    for n in range(3):
        await start(local, WAITING, f"r{n}")
        await local.runner.settled(f"r{n}")
    await local.runner.close()
    installation.look.change(
        f"UPDATE builder_runevent SET data = ? WHERE {IN_LOG}", (b"{", "r0", 0, "r0")
    )

    again = await installation.process(WAITING)
    heard: list[BaseException] = []
    again.runner.services.report = heard.append
    await again.runner.recover()

    assert all("r0 cannot be read" in str(error) for error in heard)
    await approve(again, "r2")
    assert (await again.runner.settled("r2")).status == "completed"
    await again.runner.close()
