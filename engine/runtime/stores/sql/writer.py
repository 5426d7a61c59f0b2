"""One connection that writes, on a thread of its own, committing for everyone who waits at once."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from engine.core.errors import Fenced, StoreError
from engine.runtime.stores.sql.statements import (
    Fence,
    Gives,
    Must,
    Once,
    Rows,
    Shared,
    Statement,
)
from engine.runtime.stores.sql.trouble import refusal

UNSENDABLE = (OverflowError, ValueError, TypeError)
"""What drivers raise for a value that the database has no place for."""

MINE: Final = "SELECT number, owner_epoch FROM builder_run WHERE"
TRIES: Final = 4
"""How often a commit is begun that the database rolled back for the sake of another one."""
BULK_PARAMETERS: Final = 900
"""Most parameters of one statement: what every SQLite takes."""


class Connection(Protocol):
    """The part of a DB-API connection that is used here."""

    def execute(self, sql: str, parameters: Any = ...) -> Any: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the databases. `connect` opens a connection in autocommit mode."""

    connect: Callable[[], Any]
    placeholder: str = "?"
    now_ms: str = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    """The database's own clock, in milliseconds; statements write it as `NOW_MS`."""
    begin: str = "BEGIN IMMEDIATE"
    next_number: str = ""
    """The query for the number of the next run where several processes make runs; else they are
    counted."""
    lock: str = ""
    """What a query ends with whose rows must stay as they are until the commit."""
    of_writer: tuple[str, ...] = ()
    """What the connection that writes begins with: how long it may keep others waiting."""
    errors: tuple[type[Exception], ...] = (sqlite3.Error,)
    conflicts: tuple[type[Exception], ...] = (sqlite3.IntegrityError,)
    refusals: tuple[type[Exception], ...] = (
        sqlite3.IntegrityError,
        sqlite3.DataError,
        sqlite3.InterfaceError,
        sqlite3.ProgrammingError,
        *UNSENDABLE,
    )
    """What concerns one job's values; `errors` beyond these concern everyone who waits."""
    again: tuple[type[Exception], ...] = ()
    """What rolled everything back because others were at it too, and may go well the next time."""

    def sql(self, text: str) -> str:
        """Return `text`, written with `?` and `NOW_MS`, in the database's own words."""
        if "NOW_MS" in text:
            text = text.replace("NOW_MS", self.now_ms)
        return text if self.placeholder == "?" else text.replace("?", self.placeholder)


class Conflict(StoreError):
    """A unique constraint refused the job: somebody else wrote it first."""

    code = "Conflict"


@dataclass(slots=True)
class Job:
    """Statements that land together or not at all, and who waits for them."""

    statements: list[Statement]
    bulk: Rows | None = None
    fence: Fence | None = None
    error: Exception | None = None
    done: asyncio.Future[None] | None = None


class SqlWriter:
    """Applies jobs in order; all that wait share one commit.

    Jobs of one commit are applied together. If a constraint refuses one, all are applied again,
    each in a savepoint, so that only that one fails. A lone job can be applied by its caller at
    once, where nothing is queued: the hand-over to the thread costs more than the write. With
    `threaded=False` every job is applied by its caller (simulations).
    """

    def __init__(self, dialect: Dialect, *, threaded: bool = True) -> None:
        self._dialect = dialect
        self._sql: dict[str, str] = {}
        self._inserts: dict[tuple[str, int, int], str] = {}
        self._mine_alone = dialect.sql(f"{MINE} number = ? AND owner = ?{dialect.lock}")
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._connection: Any = None
        self._thread: threading.Thread | None = None
        self._applying = threading.Lock()
        self._counting = threading.Lock()
        self._queued = 0
        self.commits = 0
        self.owner = ""
        """The worker in whose name fences are looked at."""
        if threaded:
            self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
            self._thread.start()

    async def write(
        self, statements: list[Statement], bulk: Rows | None = None, fence: Fence | None = None
    ) -> None:
        """Return once the statements are committed. Raises `StoreError`, `Conflict`, `Fenced`."""
        job = Job(statements, bulk, fence)
        if self._thread is None:
            self._apply([job])
            if job.error is not None:
                raise job.error
            return
        job.done = asyncio.get_running_loop().create_future()
        with self._counting:
            self._queued += 1
        self._queue.put(job)
        await job.done

    def write_at_once(
        self, statements: list[Statement], bulk: Rows | None = None, fence: Fence | None = None
    ) -> bool:
        """Commit the statements in the calling thread if the writer has nothing to do.

        Returns whether that was so. Raises `StoreError`, `Conflict`, `Fenced`.
        """
        if self._thread is None or not self._applying.acquire(blocking=False):
            return False
        try:
            if self._queued:
                return False
            job = Job(statements, bulk, fence)
            self._apply([job])
        finally:
            self._applying.release()
        if job.error is not None:
            raise job.error
        return True

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
            with self._applying:
                while not self._queue.empty():
                    jobs.append(self._queue.get())
                wanted = [job for job in jobs if job is not None]
                self._apply(wanted)
                with self._counting:
                    self._queued -= len(wanted)
            _tell(wanted)
            if len(wanted) < len(jobs):
                if self._connection is not None:
                    self._connection.close()
                return

    def _apply(self, jobs: list[Job]) -> None:
        """Commit the jobs; leave with each its error, if it has one."""
        if not jobs:
            return
        try:
            for left in reversed(range(TRIES)):
                try:
                    self._commit(self._connect(), jobs)
                    return
                except self._dialect.again:
                    if not left:
                        raise
                    self._connect().execute("ROLLBACK")
                    for job in jobs:
                        job.error = None
        except Exception as error:  # noqa: BLE001  a writer that dies would hang every run
            self._reset()
            for job in jobs:
                job.error = refusal(error, "the database refused to write")

    def _commit(self, connection: Any, jobs: list[Job]) -> None:
        standing = self._begin(connection, jobs)
        try:
            self._apply_together(connection, standing)
        except self._dialect.refusals as error:
            connection.execute("ROLLBACK")
            standing = self._begin(connection, jobs)
            self._apply_apart(connection, standing, error)
        connection.execute("COMMIT")
        self.commits += 1

    def _begin(self, connection: Any, jobs: list[Job]) -> list[Job]:
        """Begin, and return the jobs whose runs are still this worker's; they stay so meanwhile.

        The rows are locked in the order of their numbers, as everyone does.
        """
        connection.execute(self._dialect.begin)
        if len(jobs) == 1 and (fence := jobs[0].fence) is not None:  # as most commits are
            asked = connection.execute(self._mine_alone, (fence[0], self.owner))
            if asked.fetchone() == fence:
                return jobs
        fenced = sorted([job.fence[0] for job in jobs if job.fence is not None])
        held: set[Fence | None] = {None}
        while fenced:
            some, fenced = fenced[:BULK_PARAMETERS], fenced[BULK_PARAMETERS:]
            held.update(connection.execute(self._mine(len(some)), (*some, self.owner)))
        standing = []
        for job in jobs:
            if job.fence in held:
                standing.append(job)
            else:
                job.error = Fenced("another worker has claimed the run since")
        return standing

    def _mine(self, count: int) -> str:
        """Return the query for the epochs of `count` runs, of those that this worker owns."""
        known = ("", 0, count)
        sql = self._inserts.get(known)
        if sql is None:
            wanted = ", ".join("?" * count)
            sql = self._inserts[known] = self._dialect.sql(
                f"{MINE} number IN ({wanted}) AND owner = ? ORDER BY number{self._dialect.lock}"
            )
        return sql

    def _apply_together(self, connection: Any, jobs: list[Job]) -> None:
        shared: list[Shared] = []
        for job in jobs:
            for statement in job.statements:
                self._execute(connection, statement, shared)
        self._insert(connection, jobs)
        shared.sort(key=lambda one: one.key)
        for one in shared:
            self._execute(connection, one.statement, shared)

    def _execute(self, connection: Any, statement: Statement, shared: list[Shared]) -> None:
        """Execute a statement, or leave it in `shared` for later."""
        if isinstance(statement, Shared):
            shared.append(statement)
            return
        if isinstance(statement, Once):
            sql, parameters = statement.first
            if connection.execute(self._translated(sql), parameters).rowcount:
                for then in statement.then:
                    self._execute(connection, then, shared)
            return
        done = connection.execute(self._translated(statement[0]), statement[1])
        if type(statement) is tuple:
            return
        if isinstance(statement, Gives):
            statement.found[:] = done.fetchone()
        elif isinstance(statement, Must) and not done.rowcount:
            raise self._dialect.conflicts[0]("somebody else was there before")

    def _apply_apart(self, connection: Any, jobs: list[Job], conflict: Exception) -> None:
        if len(jobs) == 1:
            jobs[0].error = self._refusal(conflict)
            return
        for job in jobs:
            connection.execute("SAVEPOINT job")
            try:
                self._apply_together(connection, [job])
            except self._dialect.refusals as error:
                connection.execute("ROLLBACK TO SAVEPOINT job")
                job.error = self._refusal(error)
            connection.execute("RELEASE SAVEPOINT job")

    def _refusal(self, error: Exception) -> StoreError:
        if isinstance(error, self._dialect.conflicts):
            return Conflict(str(error))
        return StoreError(f"the database has no place for it: {error}")

    def _insert(self, connection: Any, jobs: list[Job]) -> None:
        """Insert the rows of all jobs, many with each statement."""
        if len(jobs) == 1:
            bulk = jobs[0].bulk
            if bulk is not None and bulk.rows:
                self._insert_rows(connection, bulk.head, bulk.rows)
            return
        tables: dict[str, list[Sequence[Any]]] = {}
        for job in jobs:
            if job.bulk is not None:
                tables.setdefault(job.bulk.head, []).extend(job.bulk.rows)
        for head, rows in tables.items():
            if rows:
                self._insert_rows(connection, head, rows)

    def _insert_rows(self, connection: Any, head: str, rows: Sequence[Sequence[Any]]) -> None:
        width = len(rows[0])
        step = BULK_PARAMETERS // width
        for first in range(0, len(rows), step):
            some = rows[first : first + step]
            sql = self._many(head, width, len(some))
            connection.execute(sql, [value for row in some for value in row])

    def _many(self, head: str, width: int, count: int) -> str:
        """Return the statement that inserts `count` rows of `width` columns."""
        known = (head, width, count)
        sql = self._inserts.get(known)
        if sql is None:
            place = f"({', '.join('?' * width)})"
            sql = self._dialect.sql(f"{head} VALUES {', '.join([place] * count)}")
            self._inserts[known] = sql
        return sql

    def _translated(self, sql: str) -> str:
        found = self._sql.get(sql)
        if found is None:
            found = self._sql[sql] = self._dialect.sql(sql)
        return found

    def _connect(self) -> Any:
        if self._connection is None:
            self._connection = self._dialect.connect()
            for sql in self._dialect.of_writer:
                self._connection.execute(sql)
        return self._connection

    def _reset(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except self._dialect.errors:
                return


def _tell(jobs: list[Job]) -> None:
    """Wake everyone who waits for these jobs, each loop once."""
    loops: dict[asyncio.AbstractEventLoop, list[Job]] = {}
    for job in jobs:
        if job.done is not None:
            loops.setdefault(job.done.get_loop(), []).append(job)
    for loop, waiting in loops.items():
        try:
            loop.call_soon_threadsafe(_settle, waiting)
        except RuntimeError:  # the loop is closed: nobody waits any more
            continue


def _settle(jobs: list[Job]) -> None:
    for job in jobs:
        if job.done is None or job.done.done():
            continue
        if job.error is None:
            job.done.set_result(None)
        else:
            job.done.set_exception(job.error)
