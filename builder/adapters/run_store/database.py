"""Runs in the project's database: SQLite embedded, or PostgreSQL."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from builder.adapters.run_store.archive.run_file import LAST_SEQ, is_gap
from builder.adapters.run_store.archive.shelf import COLUMNS, ArchivedRun
from builder.adapters.run_store.project_rows import ProjectRows
from builder.adapters.run_store.shared_limits import read_shared_budgets
from engine.core.budgets.shared import SharedBudgets
from engine.core.ports import Clock, Feed, GraphSource
from engine.core.state.events import Event
from engine.runtime.stores.sql.store import SqlRunStore
from engine.runtime.stores.sql.writer import UNSENDABLE, Dialect

IDLE_MS: Final = 5_000
"""A writer that is silent for so long in mid-transaction is cut off by the server: a stopped process
would hold its rows, of which budgets are everyone's, for as long as it stands. Its fence decides
what became of the commit."""
LOCK_MS: Final = 8_000
"""Nobody waits longer for a row: more than `IDLE_MS`, so that who waits for a stopped one gets it, and
less than the silence after which a worker may be thought dead (`worker_store.SILENT_SECONDS`)."""


def patience(idle_ms: int = IDLE_MS, lock_ms: int = LOCK_MS) -> tuple[str, ...]:
    """Return what bounds how long a writer holds rows unheard, and how long it waits for others'.

    A statement that works is not bounded: many runs may be claimed by one.
    """
    return (
        f"SET idle_in_transaction_session_timeout = {idle_ms:d}",
        f"SET lock_timeout = {lock_ms:d}",
    )


def postgres_dialect(dsn: str) -> Dialect:
    """Return how to reach PostgreSQL. Raises ImportError where its driver is not installed."""
    import psycopg

    def connect() -> Any:
        connection = psycopg.connect(dsn, autocommit=True)
        connection.execute("SET synchronous_commit = on")
        return connection

    return Dialect(
        connect,
        placeholder="%s",
        now_ms="CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
        begin="BEGIN",
        next_number="SELECT nextval('builder_run_number')",
        lock=" FOR NO KEY UPDATE",
        of_writer=patience(),
        errors=(psycopg.Error,),
        conflicts=(psycopg.errors.UniqueViolation,),
        again=(psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure),
        refusals=(psycopg.IntegrityError, psycopg.DataError, psycopg.ProgrammingError, *UNSENDABLE),
    )


class DatabaseRunStore(SqlRunStore):
    """The engine's store on the project's tables, with what the project keeps beside runs."""

    def __init__(
        self,
        dialect: Dialect,
        clock: Clock,
        graphs: GraphSource,
        feed: Feed | None = None,
        *,
        worker: str = "local",
        threaded: bool = True,
        home: str | None = None,
        mail: bool = False,
    ) -> None:
        beside = ProjectRows(mail=mail, home=home)
        super().__init__(
            dialect, clock, graphs, feed, worker=worker, threaded=threaded, home=home, beside=beside
        )

    async def _read(self, run_id: str, after: int, limit: int | None) -> list[Event]:
        """Return durable events; of an archived run those that left the tables, from its file."""
        events = await super()._read(run_id, after, limit)
        if not is_gap(after, (event.seq for event in events)):
            return events
        sql = (
            f"SELECT {', '.join(COLUMNS)} FROM builder_runarchive WHERE run = ? AND gone_at IS NULL"  # noqa: S608  (constants)
        )
        found = await self.reader.rows(sql, (run_id,))
        if not found:
            return events  # a log with a gap is for whoever reads it to tell
        kept = ArchivedRun.of(*found[0])
        until = LAST_SEQ if limit is None else after + limit
        told = await asyncio.to_thread(kept.decoded, after, until)
        left = None if limit is None else limit - len(told)
        if left is not None and left <= 0:
            return told
        return told + await super()._read(run_id, max(after, kept.head), left)

    async def shared_budgets(self) -> SharedBudgets:
        """Return the limits that people have set on workspaces and graphs."""
        return await read_shared_budgets(self.reader, self.home)
