"""One connection that writes, on a thread of its own, committing for everyone who waits at once."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol

from engine.errors import StoreError

Statement = tuple[str, Sequence[Any]]
UNSENDABLE = (OverflowError, ValueError, TypeError)
"""What drivers raise for a value that the database has no place for."""


class Connection(Protocol):
    """The part of a DB-API connection that is used here."""

    def execute(self, sql: str, parameters: Any = ...) -> Any: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the databases. `connect` opens a connection in autocommit mode."""

    connect: Callable[[], Any]
    placeholder: str = "?"
    begin: str = "BEGIN IMMEDIATE"
    errors: tuple[type[Exception], ...] = (sqlite3.Error,)
    conflicts: tuple[type[Exception], ...] = (sqlite3.IntegrityError,)
    refusals: tuple[type[Exception], ...] = (
        sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError,
        *UNSENDABLE,
    )  # fmt: skip
    """What concerns one job's values; `errors` beyond these concern everyone who waits."""

    def sql(self, text: str) -> str:
        """Return `text`, written with `?`, in the database's own placeholders."""
        return text if self.placeholder == "?" else text.replace("?", self.placeholder)


class Conflict(StoreError):
    """A unique constraint refused the job: somebody else wrote it first."""

    code = "Conflict"


@dataclass(slots=True)
class Job:
    """Statements that land together or not at all, and who waits for them."""

    statements: list[Statement]
    done: Future[None] = field(default_factory=Future)

    def __post_init__(self) -> None:
        """Rule out cancelling: who no longer waits does not stop a write."""
        self.done.set_running_or_notify_cancel()


class SqlWriter:
    """Applies jobs in order. Each is a savepoint; all that wait share one commit.

    With `threaded=False` a job is applied by the caller at once (simulations).
    """

    def __init__(self, dialect: Dialect, *, threaded: bool = True) -> None:
        self._dialect = dialect
        self._sql: dict[str, str] = {}
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._connection: Any = None
        self._thread: threading.Thread | None = None
        self.commits = 0
        if threaded:
            self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
            self._thread.start()

    async def write(self, statements: list[Statement]) -> None:
        """Return once the statements are committed. Raises `StoreError`, `Conflict`."""
        job = Job(statements)
        if self._thread is None:
            self._apply([job])
            job.done.result()
            return
        self._queue.put(job)
        await asyncio.wrap_future(job.done)

    def close(self) -> None:
        """Commit what is queued and close the connection."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
        elif self._connection is not None:
            self._connection.close()
            self._connection = None

    def _run(self) -> None:
        while True:
            jobs = [self._queue.get()]
            while not self._queue.empty():
                jobs.append(self._queue.get())
            stop = None in jobs
            self._apply([job for job in jobs if job is not None])
            if stop:
                if self._connection is not None:
                    self._connection.close()
                return

    def _apply(self, jobs: list[Job]) -> None:
        if not jobs:
            return
        failed: list[tuple[Job, Exception]] = []
        try:
            connection = self._connect()
            connection.execute(self._dialect.begin)
            for job in jobs:
                refusal = self._apply_one(connection, job, alone=len(jobs) == 1)
                if refusal is not None:
                    failed.append((job, refusal))
            connection.execute("COMMIT")
            self.commits += 1
        except self._dialect.errors as error:
            self._reset()
            for job in jobs:
                job.done.set_exception(StoreError(f"the database refused to write: {error}"))
            return
        refused = {id(job) for job, _error in failed}
        for job, problem in failed:
            job.done.set_exception(problem)
        for job in jobs:
            if id(job) not in refused:
                job.done.set_result(None)

    def _apply_one(self, connection: Any, job: Job, *, alone: bool) -> Exception | None:
        try:
            if not alone:
                connection.execute("SAVEPOINT job")
            for sql, parameters in job.statements:
                connection.execute(self._translated(sql), parameters)
            if not alone:
                connection.execute("RELEASE SAVEPOINT job")
        except self._dialect.refusals as error:
            if alone:
                connection.execute("ROLLBACK")
                connection.execute(self._dialect.begin)
            else:
                connection.execute("ROLLBACK TO SAVEPOINT job")
            if isinstance(error, self._dialect.conflicts):
                return Conflict(str(error))
            return StoreError(f"the database has no place for it: {error}")
        return None

    def _translated(self, sql: str) -> str:
        found = self._sql.get(sql)
        if found is None:
            found = self._sql[sql] = self._dialect.sql(sql)
        return found

    def _connect(self) -> Any:
        if self._connection is None:
            self._connection = self._dialect.connect()
        return self._connection

    def _reset(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except self._dialect.errors:
                return
