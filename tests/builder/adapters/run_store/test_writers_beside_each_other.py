"""Writers of several processes on one PostgreSQL: nobody holds what all need for long."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from builder.adapters.run_store.apart.worker_store import SILENT_SECONDS
from builder.adapters.run_store.database import IDLE_MS, LOCK_MS, patience
from engine.core.budgets.ledger import Hold
from engine.core.errors import Fenced, StoreUnavailable
from engine.runtime.stores.sql.budget_rows import release
from engine.runtime.stores.sql.statements import Statement
from engine.runtime.stores.sql.writer import Dialect, SqlWriter
from tests.builder.databases import HOME, Database

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.parametrize("database", ["postgres"], indirect=True),
]
SPEND = "UPDATE builder_budget SET spent_tokens = spent_tokens + 1 WHERE id = ?"
BUDGETS = ("workspace:a:total", "workspace:b:total")


@pytest.fixture(autouse=True)
def budgets(database: Database) -> None:
    for row_id in BUDGETS:
        database.change(
            "INSERT INTO builder_budget (id, level, workspace_id, spent_tokens, spent_pico, "
            "held_tokens, held_pico) VALUES (?, 'workspace', ?, 0, 0, 0, 0)",
            (row_id, HOME),
        )


def spend(row_id: str) -> Statement:
    return SPEND, (row_id,)


@contextmanager
def writing(dialect: Dialect) -> Iterator[SqlWriter]:
    writer = SqlWriter(dialect)
    yield writer
    writer.close()


def in_the_middle(dialect: Dialect, row_id: str) -> Any:
    """Return the connection of a process that was stopped while it held a budget."""
    stopped = dialect.connect()
    for sql in dialect.of_writer:
        stopped.execute(sql)
    stopped.execute("BEGIN")
    stopped.execute(dialect.sql(SPEND), (row_id,))
    return stopped


async def test_a_stopped_worker_holds_a_budget_no_longer_than_its_time(database: Database) -> None:
    quick = replace(database.dialect, of_writer=patience(idle_ms=300))
    with writing(database.dialect) as writer, closing(in_the_middle(quick, BUDGETS[0])):
        async with asyncio.timeout(10):
            await writer.write([spend(BUDGETS[0])])

    assert database.rows("SELECT spent_tokens FROM builder_budget WHERE id = ?", (BUDGETS[0],)) == [
        (1,)
    ], "what was cut off has left nothing"


async def test_who_waits_for_a_row_too_long_is_told_so(database: Database) -> None:
    """Somebody else's transaction, which no limit ends: an operator's, or another program's."""
    endless = replace(database.dialect, of_writer=())
    quick = replace(database.dialect, of_writer=patience(lock_ms=300))
    with writing(quick) as writer, closing(in_the_middle(endless, BUDGETS[0])):
        began = time.monotonic()
        with pytest.raises(StoreUnavailable):
            async with asyncio.timeout(20):
                await writer.write([spend(BUDGETS[0])])
        assert time.monotonic() - began < 10
        await writer.write([spend(BUDGETS[1])])


async def test_a_writer_that_was_cut_off_has_written_nothing_and_goes_on(
    database: Database,
) -> None:
    """I1: what it sent is gone with its transaction, and its next commit is on a new connection."""
    quick = replace(database.dialect, of_writer=patience(idle_ms=300))

    class Sleepy:
        def __init__(self, inner: Any) -> None:
            self._inner, self.close = inner, inner.close

        def execute(self, sql: str, *parameters: Any) -> Any:
            if sql == "COMMIT":
                time.sleep(1)
            return self._inner.execute(sql, *parameters)

    asleep = replace(quick, connect=lambda: Sleepy(quick.connect()))
    with writing(asleep) as writer:
        with pytest.raises(StoreUnavailable):
            await writer.write([spend(BUDGETS[0])])
        assert writer._connection is None
        writer._dialect = quick
        await writer.write([spend(BUDGETS[1])])

    spent = database.rows("SELECT spent_tokens FROM builder_budget ORDER BY id")
    assert spent == [(0,), (1,)]


def test_rows_come_back_before_a_worker_may_be_thought_dead(database: Database) -> None:
    assert IDLE_MS < LOCK_MS < SILENT_SECONDS * 1000
    with closing(database.dialect.connect()) as connection:
        for sql in database.dialect.of_writer:
            connection.execute(sql)
        said = [
            connection.execute(f"SHOW {name}").fetchone()[0]
            for name in ("idle_in_transaction_session_timeout", "lock_timeout")
        ]
    assert said == ["5s", "8s"]


@dataclass
class Crossing:
    """Two connections that each move a budget, and then wait for the other before the next one."""

    dialect: Dialect
    deadlocks: int = 0
    on_deadlock: Callable[[], None] = lambda: None
    _both: threading.Barrier = field(default_factory=lambda: threading.Barrier(2))

    def writer(self) -> SqlWriter:
        return SqlWriter(replace(self.dialect, connect=lambda: _Met(self, self.dialect.connect())))

    def meet(self) -> None:
        """Wait for the other one; it does not come where it waits for a row."""
        try:
            self._both.wait(1)
        except threading.BrokenBarrierError:
            return


class _Met:
    def __init__(self, crossing: Crossing, inner: Any) -> None:
        self._crossing, self._inner, self.close = crossing, inner, inner.close

    def execute(self, sql: str, *parameters: Any) -> Any:
        try:
            done = self._inner.execute(sql, *parameters)
        except psycopg.errors.DeadlockDetected:
            self._crossing.deadlocks += 1
            self._crossing.on_deadlock()
            raise
        if sql.startswith("UPDATE builder_budget "):
            self._crossing.meet()
        return done


def given_back(database: Database, name: str, budgets: tuple[str, ...]) -> list[Statement]:
    """Return what gives back a hold that is there."""
    database.change(
        "INSERT INTO builder_budgethold (id, run, key, budgets, tokens, pico, state) "
        "VALUES (?, 'r', 'k', '[]', 5, 0, 'held')",
        (name,),
    )
    return release(Hold(name, "r", "k", budgets, 5, Decimal(0)))


async def test_budgets_are_locked_in_one_order_whatever_the_runs_order(database: Database) -> None:
    """Two groups that hold budgets crosswise would wait for each other, and one would fail whole."""
    crossing = Crossing(database.dialect)
    one, other = crossing.writer(), crossing.writer()
    await asyncio.gather(
        one.write(given_back(database, "h1", BUDGETS)),
        other.write(given_back(database, "h2", BUDGETS[::-1])),
    )
    one.close()
    other.close()

    assert crossing.deadlocks == 0
    assert database.rows("SELECT held_tokens FROM builder_budget") == [(-10,), (-10,)]


async def test_what_a_deadlock_rolled_back_is_tried_again(database: Database) -> None:
    """Nobody is away: rows that have no order of their own can be locked crosswise."""
    crossing = Crossing(database.dialect)
    one, other = crossing.writer(), crossing.writer()
    await asyncio.gather(
        one.write([spend(row_id) for row_id in BUDGETS]),
        other.write([spend(row_id) for row_id in BUDGETS[::-1]]),
    )
    one.close()
    other.close()

    assert crossing.deadlocks > 0
    assert database.rows("SELECT spent_tokens FROM builder_budget") == [(2,), (2,)]


async def test_a_run_that_is_taken_over_meanwhile_is_not_written_by_the_second_try(
    database: Database,
) -> None:
    """I3: the fence is looked at in each try."""
    for number in (1, 2):
        database.change(
            "INSERT INTO builder_run (id, number, workspace_id, graph_id, version_id, graph_slug, "
            "status, waiting_for, started_at, spent_tokens, spent_pico, held_tokens, held_pico, "
            "owner, owner_epoch, source, trigger, place_at) VALUES (?, ?, ?, NULL, NULL, 'g', "
            "'running', '[]', 0, 0, 0, 0, 0, 'me', 1, 'run', NULL, 0)",
            (f"r{number}", number, HOME),
        )
    crossing = Crossing(database.dialect)
    crossing.on_deadlock = lambda: database.change("UPDATE builder_run SET owner = 'them'")
    writers = [crossing.writer(), crossing.writer()]
    for writer in writers:
        writer.owner = "me"
    ends = await asyncio.gather(
        writers[0].write([spend(row_id) for row_id in BUDGETS], fence=(1, 1)),
        writers[1].write([spend(row_id) for row_id in BUDGETS[::-1]], fence=(2, 1)),
        return_exceptions=True,
    )
    for writer in writers:
        writer.close()

    assert {type(end) for end in ends} == {type(None), Fenced}
    assert database.rows("SELECT spent_tokens FROM builder_budget") == [(1,), (1,)]
