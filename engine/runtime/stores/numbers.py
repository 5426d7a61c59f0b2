"""The numbers of new runs: counted by the one process that makes runs, or given by the database."""

from __future__ import annotations

from typing import Final

from engine.runtime.stores.sql.reader import Reader

LAST: Final = "SELECT COALESCE(MAX(number), 0) FROM builder_run"


class Numbers:
    """Gives each new run a number of its own. `query` asks the database; without it we count."""

    def __init__(self, reader: Reader, query: str) -> None:
        self._reader = reader
        self._query = query
        self._last: int | None = None

    async def next(self) -> int:
        """Return a number that no run has. Raises `StoreError`."""
        if self._query:
            return int((await self._reader.rows(self._query))[0][0])
        if self._last is None:
            found = await self._reader.rows(LAST)
            self._last = max(self._last or 0, found[0][0])
        self._last += 1
        return self._last
