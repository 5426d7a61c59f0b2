"""Writers of several processes on one PostgreSQL: nobody holds what all need for long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

import pytest

from builder.adapters.run_store.apart.worker_store import SILENT_SECONDS
from builder.adapters.run_store.database import IDLE_MS, LOCK_MS, patience
from engine.core.errors import StoreUnavailable
from engine.runtime.stores.sql.writer import Dialect, SqlWriter, Statement
from tests.builder.databases import HOME, Database

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.parametrize("database", ["postgres"], indirect=True),
]
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
    return "UPDATE builder_budget SET spent_tokens = spent_tokens + 1 WHERE id = ?", (row_id,)


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
    sql, parameters = spend(row_id)[:2]
    stopped.execute(dialect.sql(sql), parameters)
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
