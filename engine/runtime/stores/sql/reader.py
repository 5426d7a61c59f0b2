"""A connection that only reads, apart from the one that writes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

from engine.runtime.stores.sql.trouble import refusal
from engine.runtime.stores.sql.writer import Dialect


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
                self.close()
                raise refusal(error, "the database could not be read") from error

    def close(self) -> None:
        """Close the connection; the next query opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
