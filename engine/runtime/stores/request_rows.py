"""Requests to runs in SQL. Whoever has facts of their own writes the row beside them, in one commit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from engine.runtime.stores.requests import Request, Told, Wish
from engine.runtime.stores.sql.reader import Reader
from engine.runtime.stores.sql.statements import Must, Statement
from engine.runtime.stores.warm_run import Answered

OPEN: Final = (
    'SELECT id, run, kind, payload, "by", created FROM builder_request '
    "WHERE run = ? AND answered IS NULL ORDER BY id"
)
ASKED_OF: Final = (
    "SELECT run FROM builder_request WHERE answered IS NULL GROUP BY run ORDER BY MIN(id)"
)
TOLD: Final = "SELECT answer FROM builder_request WHERE id = ? AND answered IS NOT NULL"
TELL: Final = (
    "UPDATE builder_request SET answer = ?, answered = ? WHERE id = ? AND answered IS NULL"
)
POST: Final = (
    'INSERT INTO builder_request (run, kind, payload, "by", created) VALUES (?, ?, ?, ?, ?)'
)


def post(run_id: str, wishes: Iterable[Wish], at: int) -> list[Statement]:
    """Return what makes wishes durable that the engine itself has."""
    return [(POST, (run_id, wish.kind, json.dumps(wish.payload), wish.by, at)) for wish in wishes]


def tell(answers: Iterable[Answered], at: int) -> list[Statement]:
    """Return what answers requests, each once: a commit with one that is answered is refused."""
    return [Must(TELL, (json.dumps(told), at, number)) for number, told in answers]


class RequestRows:
    """`Requests` over the table."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def open(self, run_id: str) -> Sequence[Request]:
        """Return what was asked of a run and not answered, in the order asked."""
        rows = await self._reader.rows(OPEN, (run_id,))
        return [
            Request(number, str(run), Wish(kind, json.loads(payload), by), created)
            for number, run, kind, payload, by, created in rows
        ]

    async def asked_of(self) -> Sequence[str]:
        """Return the runs of which something was asked that is not answered."""
        return [str(row[0]) for row in await self._reader.rows(ASKED_OF)]

    async def told(self, number: int) -> Told | None:
        """Return what became of a request, None where nothing did yet."""
        rows = await self._reader.rows(TOLD, (number,))
        found: Told | None = json.loads(rows[0][0]) if rows else None
        return found
