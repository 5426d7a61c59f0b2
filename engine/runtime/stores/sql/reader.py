"""A connection that only reads, apart from the one that writes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any, Final

from engine.runtime.stores.sql.trouble import refusal
from engine.runtime.stores.sql.writer import Dialect

STOP_SECONDS: Final = 2.0


class Reader:
    """A connection for the engine's own reading, used from one thread at a time."""

    def __init__(self, dialect: Dialect, *, threaded: bool) -> None:
        self._dialect = dialect
        self._threaded = threaded
        self._connection: Any = None
        self._lock = threading.Lock()

    async def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Return all rows of a query. Raises `StoreError`."""
        if self._threaded:
            return await asyncio.to_thread(self._rows, sql, parameters)
        return self._rows(sql, parameters)

    def _rows(self, sql: str, parameters: Sequence[Any]) -> list[Any]:
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = self._dialect.connect()
                found = self._connection.execute(self._dialect.sql(sql), parameters)
                return list(found.fetchall())
            except self._dialect.errors as error:
                self._drop()
                raise refusal(error, "the database could not be read") from error

    def close(self) -> None:
        """Close the connection; the next query opens another.

        A query that goes on is waited for, and one that hangs left alone: SQLite's library dies
        where a connection is closed that another thread is using.
        """
        if not self._lock.acquire(timeout=STOP_SECONDS):
            return
        try:
            self._drop()
        finally:
            self._lock.release()

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
