"""One moment of the database, for reading only: a live server may go on writing meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from engine.runtime.stores.sql.writer import Dialect

PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that disagrees: where, as people find it (`run <id> at 7`), and what."""

    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


class Snapshot:
    """A connection in one read-only transaction: every query sees the same moment."""

    def __init__(self, connection: Any, dialect: Dialect) -> None:
        self._connection = connection
        self._dialect = dialect

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Return all rows of a query, written with `?`."""
        found = self._connection.execute(self._dialect.sql(sql), parameters)
        return [tuple(row) for row in found.fetchall()]

    def one(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """Return the only column of the first row, None without a row."""
        found = self.rows(sql, parameters)
        return found[0][0] if found else None

    def pages(self, sql: str, parameters: Sequence[Any], first: Any) -> Iterator[list[Any]]:
        """Yield rows page by page; `sql` ends in what its first column is compared to, `> ?`."""
        last = first
        while page := self.rows(f"{sql} > ? ORDER BY 1 LIMIT {PAGE}", (*parameters, last)):
            last = page[-1][0]
            yield page


@contextmanager
def snapshot(dialect: Dialect) -> Iterator[Snapshot]:
    """Give one moment of the database while the block lasts."""
    connection = dialect.connect()
    try:
        if dialect.placeholder == "?":
            connection.execute("PRAGMA query_only=ON")
            connection.execute("BEGIN")
        else:
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield Snapshot(connection, dialect)
        connection.execute("ROLLBACK")
    finally:
        connection.close()
