"""What stores over one SQL database must do where two processes want one run.

Subclasses give `open` as `StoreContract` asks, and `execute` for rows of their own.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from engine.core.budgets.ledger import Hold
from engine.core.errors import Fenced, RunElsewhere
from engine.runtime.stores.sql.budget_rows import release
from engine.runtime.stores.sql.store import SqlRunStore
from engine.runtime.stores.sql.writer import Job
from tests.engine.store_contract import StoreBench, note

WAIT_SECONDS = 20


class OwnerContract(StoreBench):
    """One run, one owner, and every commit carries its fence."""

    def open(self) -> SqlRunStore:
        raise NotImplementedError

    def execute(self, sql: str, parameters: Sequence[Any]) -> None:
        """Change rows on a connection of the test's own."""
        raise NotImplementedError

    def seen(self, store: SqlRunStore, at: int) -> None:
        """Write when the worker of a store was last seen."""
        self.execute("DELETE FROM builder_worker WHERE boot_id = ?", (store.owned.worker,))
        row = (store.owned.worker, "here", 1, at, at)
        self.execute(
            "INSERT INTO builder_worker (boot_id, host, pid, started_at, last_seen_at) "
            "VALUES (?, ?, ?, ?, ?)",
            row,
        )

    async def epoch(self, store: SqlRunStore, run_id: str = "r1") -> tuple[str | None, int]:
        [row] = await store.reader.rows(
            "SELECT owner, owner_epoch FROM builder_run WHERE id = ?", (run_id,)
        )
        return row[0], row[1]

    async def test_who_makes_a_run_owns_it(self) -> None:
        store = self.open()
        await self.create(store)

        assert await self.epoch(store) == (store.owned.worker, 1)

    async def test_a_commit_of_a_former_owner_is_refused_and_writes_nothing(self) -> None:
        """I3: the fence alone, with both states in memory."""
        first = self.open()
        await self.create(first)
        second = self.open()  # nobody has a sign of life of the first: it is taken for dead
        assert await self.epoch(second) == (second.owned.worker, 2)

        with pytest.raises(Fenced):
            await first.transact("r1", None, note("of the former"))

        assert await self.seqs(second) == [1]
        assert await second.transact("r1", None, note("mine")) == "mine"
        assert [e.data.get("value") for e in await second.events("r1", 1)] == ["mine"]

    async def test_others_of_the_same_commit_land(self) -> None:
        first = self.open()
        for run_id in ("r1", "r2", "r3"):
            await self.create(first, run_id)
        second = SqlRunStore(first.writer._dialect, first.clock, first.graphs, threaded=False)
        await second.owned.own("r2")

        # one group: what waits while the writer is busy shares a commit
        done = await asyncio.gather(
            *(first.transact(run_id, None, note(run_id)) for run_id in ("r1", "r2", "r3")),
            return_exceptions=True,
        )
        second.close()

        assert [type(one) for one in done] == [str, Fenced, str]
        assert [len(await self.seqs(first, run_id)) for run_id in ("r1", "r2", "r3")] == [2, 1, 2]

    async def test_nobody_gets_a_run_of_one_who_is_alive(self) -> None:
        first = self.open()
        await self.create(first)
        self.seen(first, first.clock.now())
        second = self.open()

        with pytest.raises(RunElsewhere):
            await second.transact("r1", None, note(1))
        assert await second.unfinished() == []
        assert await first.transact("r1", None, note(2)) == 2

        self.seen(first, 0)
        assert await second.unfinished() == ["r1"]
        assert await second.transact("r1", None, note(3)) == 3
        with pytest.raises(Fenced):
            await first.transact("r1", None, note(4))

    async def test_after_a_commit_of_unknown_outcome_the_run_is_claimed_anew(self) -> None:
        store = self.open()
        await self.create(store)
        kept = store.writer
        real = kept._apply
        lost: list[list[Job]] = []

        def answer_lost(jobs: list[Job]) -> None:
            real(jobs)
            if not lost:
                lost.append(jobs)
                jobs[0].error = ConnectionError("the answer was lost")

        kept._apply = answer_lost  # type: ignore[method-assign]
        with pytest.raises(ConnectionError):
            await store.transact("r1", None, note(1))
        await store.transact("r1", None, note(2))

        assert await self.epoch(store) == (store.owned.worker, 2)
        assert [e.data.get("value") for e in await store.events("r1", 1)] == [1, 2]

    async def test_a_delayed_commit_of_the_same_worker_is_refused(self) -> None:
        store = self.open()
        await self.create(store)
        real = store.writer._apply
        delayed: list[Job] = []

        def delay(jobs: list[Job]) -> None:
            if delayed or not any(job.fence for job in jobs):
                real(jobs)
                return
            delayed.extend(jobs)
            jobs[0].error = ConnectionError("the server took too long")

        store.writer._apply = delay  # type: ignore[method-assign]
        with pytest.raises(ConnectionError):
            await store.transact("r1", None, note("delayed"))
        await store.warm("r1")
        [late] = delayed
        late.error = None
        real([late])

        assert isinstance(late.error, Fenced)
        await store.transact("r1", None, note("mine"))
        assert [e.data.get("value") for e in await store.events("r1", 1)] == ["mine"]

    async def test_a_claim_waits_for_a_commit_that_has_looked_at_its_fence(self) -> None:
        first = self.open()
        await self.create(first)
        looked, go_on = threading.Event(), threading.Event()
        real = first.writer._apply_together

        def slowly(connection: Any, jobs: list[Job]) -> None:
            if any(job.fence for job in jobs):
                looked.set()
                assert go_on.wait(WAIT_SECONDS)
            real(connection, jobs)

        first.writer._apply_together = slowly  # type: ignore[method-assign]
        first.committing += 1  # not on the spot: on the writer's thread
        commit = asyncio.ensure_future(first.transact("r1", None, note(1)))
        await asyncio.to_thread(looked.wait, WAIT_SECONDS)
        second = await asyncio.to_thread(SqlRunStore, first.writer._dialect, *self.world(first))
        claim = asyncio.ensure_future(second.owned.own("r1"))
        done, _ = await asyncio.wait([claim], timeout=0.3)
        assert not done
        go_on.set()

        assert await commit == 1
        await claim
        assert await self.epoch(second) == (second.owned.worker, 2)
        assert [e.data.get("value") for e in await second.events("r1", 1)] == [1]
        await asyncio.to_thread(second.close)

    def world(self, store: SqlRunStore) -> tuple[Any, Any]:
        return store.clock, store.graphs

    async def test_a_hold_that_two_settle_at_once_is_settled_once(self) -> None:
        store = self.open()
        self.execute(
            "INSERT INTO builder_budget (id, level, spent_tokens, spent_pico, held_tokens, held_pico)"
            " VALUES ('b', 'run', 0, 0, 10, 10)",
            (),
        )
        self.execute(
            "INSERT INTO builder_budgethold (id, run, key, budgets, tokens, pico, state) "
            "VALUES ('h', 'r', 'k', '[\"b\"]', 10, 10, 'held')",
            (),
        )
        hold = Hold("h", "r", "k", ("b",), 10, Decimal("0.00000000001"))
        others = [SqlRunStore(store.writer._dialect, *self.world(store)) for _ in range(4)]

        await asyncio.gather(*(other.writer.write(release(hold)) for other in others))
        for other in others:
            await asyncio.to_thread(other.close)

        [row] = await store.reader.rows("SELECT held_tokens, held_pico FROM builder_budget")
        assert tuple(row) == (0, 0)

    async def test_a_run_that_rests_is_nobodys_until_somebody_wants_it(self) -> None:
        store = self.open()
        await self.create(store)
        await self.create(store, "r2")

        await store.let_rest(["r1"])

        assert store.peek("r1") is None
        assert await self.epoch(store) == (None, 1)
        assert await store.movable() == ["r2"]
        assert await self.open().movable() == ["r2"]
        assert await store.transact("r1", None, note("woken")) == "woken"
        assert await self.epoch(store) == (store.owned.worker, 2)
        assert await self.seqs(store) == [1, 2]

    async def test_a_run_that_rests_is_found_when_it_wants_to_be_looked_at(self) -> None:
        store = self.open()
        await self.create(store)
        await store.let_rest(["r1"])
        self.execute("UPDATE builder_run SET wake_at = 1 WHERE id = ?", ("r1",))

        assert await store.movable() == ["r1"]

    async def test_who_wants_a_run_that_is_about_to_rest_waits_until_it_does(self) -> None:
        store = self.open()
        await self.create(store)

        resting = asyncio.ensure_future(store.let_rest(["r1"]))
        await asyncio.sleep(0)
        done = await store.transact("r1", None, note("woken"))
        await resting

        assert done == "woken"
        assert await self.epoch(store) == (store.owned.worker, 2)
