"""Who may write a run: one worker at a time, and every commit proves that it still is the one.

A worker claims a run by one conditional update that raises the run's epoch; nobody gets a run whose
owner is alive. What claims only decides who begins: a worker that was thought dead may still be on
its way to a commit, so each commit names the epoch under which it was made (`writer.Fence`).
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from typing import Any, Final

from engine.core.errors import RunElsewhere
from engine.runtime.stores.sql.reader import Reader
from engine.runtime.stores.sql.statements import Fence, Statement
from engine.runtime.stores.sql.writer import SqlWriter

ALIVE_MS: Final = 20_000
"""A worker is alive if it was seen so recently; it beats every five seconds."""

FREE: Final = (
    "(owner IS NULL OR owner = ? OR NOT EXISTS (SELECT 1 FROM builder_worker w "  # noqa: S608
    f"WHERE w.boot_id = builder_run.owner AND w.last_seen_at > NOW_MS - {ALIVE_MS}))"
)
"""Runs that a worker may claim; takes its id. Who is alive is judged by the database's clock."""
NOT_ENDED: Final = "status NOT IN ('completed', 'failed', 'cancelled', 'timeout')"
MAY_MOVE: Final = f"{NOT_ENDED} AND (owner IS NOT NULL OR wake_at <= NOW_MS)"
"""Runs that may have something to do: what is nobody's says when it wants to be looked at."""
CLAIM: Final = (
    "UPDATE builder_run SET owner = ?, owner_epoch = owner_epoch + 1 "  # noqa: S608  (constants)
    f"WHERE id = ? AND {FREE}"
)
ADOPT: Final = (
    "UPDATE builder_run SET owner = ?, owner_epoch = owner_epoch + 1 "  # noqa: S608  (constants)
    f"WHERE {MAY_MOVE} AND {FREE}"
)
FREE_OR_MINE: Final = (
    f"SELECT id FROM builder_run WHERE {NOT_ENDED} AND {FREE} "  # noqa: S608  (constants)
    "ORDER BY started_at, id"
)
DIED: Final = (
    f"SELECT id FROM builder_run WHERE {NOT_ENDED} AND {FREE} "  # noqa: S608  (constants)
    "AND owner IS NOT NULL AND owner <> ?"
)
IS_FREE: Final = f"SELECT 1 FROM builder_run WHERE id = ? AND {FREE}"  # noqa: S608  (constants)
LET_GO: Final = (
    f"UPDATE builder_run SET owner = NULL, wake_at = NOW_MS WHERE owner = ? AND {NOT_ENDED}"  # noqa: S608
)
MOVABLE: Final = (
    f"SELECT id FROM builder_run WHERE {MAY_MOVE} AND {FREE} "  # noqa: S608  (constants)
    "ORDER BY started_at, id"
)
OF_MINE: Final = (
    f"SELECT id FROM builder_run WHERE {NOT_ENDED} AND owner = ? "  # noqa: S608  (constants)
    "ORDER BY started_at, id"
)
OFFERED: Final = (
    f"SELECT id FROM builder_run WHERE {MAY_MOVE} AND {FREE} "  # noqa: S608  (constants)
    "AND (owner IS NULL OR owner <> ?) ORDER BY started_at, id LIMIT ?"
)
REST: Final = (
    "UPDATE builder_run SET owner = NULL, wake_at = ? "
    "WHERE number = ? AND owner = ? AND owner_epoch = ?"
)
PLACED: Final = (
    f"SELECT id FROM builder_run WHERE status = 'queued' AND place_at > 0 AND {FREE} "  # noqa: S608
    "ORDER BY number"
)
"""Runs that were given a place and have not moved since, and that a worker may claim."""
ANY_FREE: Final = f"SELECT id FROM builder_run WHERE {MAY_MOVE} AND {FREE} LIMIT 1"  # noqa: S608
PLACE: Final = "SELECT number, owner, owner_epoch FROM builder_run WHERE id = ?"


class Ownership:
    """What one worker owns. `worker` is its id, a new one with each beginning."""

    def __init__(self, reader: Reader, writer: SqlWriter) -> None:
        self.worker = str(uuid.uuid4())
        self._reader = reader
        self._writer = writer
        self._epochs: dict[str, int] = {}
        self._doubted: set[str] = set()
        self.came: set[str] = set()
        """Runs that were somebody else's, or nobody's, until this worker claimed them."""
        writer.owner = self.worker

    async def adopt(self) -> None:
        """Claim every unfinished run that nobody alive owns, in one commit; none where there is none."""
        if await self._reader.rows(ANY_FREE, (self.worker,)):
            await self._writer.write([(ADOPT, (self.worker, self.worker))])

    async def own(self, run_id: str) -> int | None:
        """Return the number of a run that this worker owns from now on, None for an unknown run.

        A run of which a commit may have failed is claimed anew: a delayed one is refused then.
        Raises `RunElsewhere` where somebody else owns it, and `StoreError`.
        """
        place = await self._place(run_id)
        if place is None:
            return None
        former = place[1]
        if former != self.worker:
            self.came.add(run_id)  # before the claim: its answer may be lost
        if former != self.worker or run_id in self._doubted:
            await self._writer.write([(CLAIM, (self.worker, run_id, self.worker))])
            place = await self._place(run_id)
            assert place is not None
        number, owner, epoch = place
        if owner != self.worker:
            self.came.discard(run_id)
            raise RunElsewhere(f"another worker has run {run_id}")
        self._doubted.discard(run_id)
        self._epochs[run_id] = epoch
        return int(number)

    async def unfinished(self) -> list[str]:
        """Return the ids of runs without terminal event that nobody else alive owns, oldest first."""
        return [str(row[0]) for row in await self._reader.rows(FREE_OR_MINE, (self.worker,))]

    async def died(self) -> list[str]:
        """Return the ids of unfinished runs whose owner is somebody else, and not alive."""
        rows = await self._reader.rows(DIED, (self.worker, self.worker))
        return [str(row[0]) for row in rows]

    async def is_free(self, run_id: str) -> bool:
        """Return whether a run is this worker's, or nobody's who is alive."""
        return bool(await self._reader.rows(IS_FREE, (run_id, self.worker)))

    async def let_go(self, but: Collection[str] = ()) -> None:
        """Leave what is unfinished to others, `but` for these runs: this worker executes no other."""
        kept = f" AND id NOT IN ({', '.join('?' * len(but))})" if but else ""
        await self._writer.write([(LET_GO + kept, (self.worker, *but))])

    async def movable(self) -> list[str]:
        """Return those of the unfinished that may have something to do, oldest first."""
        return [str(row[0]) for row in await self._reader.rows(MOVABLE, (self.worker,))]

    async def mine(self) -> list[str]:
        """Return the unfinished runs whose row names this worker, oldest first."""
        return [str(row[0]) for row in await self._reader.rows(OF_MINE, (self.worker,))]

    async def offered(self, most: int) -> list[str]:
        """Return the oldest of those that may have something to do and that others left, or nobody has."""
        rows = await self._reader.rows(OFFERED, (self.worker, self.worker, most))
        return [str(row[0]) for row in rows]

    async def placed(self) -> list[str]:
        """Return those that were given a place and do not move yet, oldest first."""
        return [str(row[0]) for row in await self._reader.rows(PLACED, (self.worker,))]

    def rest(self, run_id: str, number: int, wake_at: int | None) -> Statement:
        """Return what makes a run nobody's until `wake_at`, or until somebody wants something of it."""
        return REST, (wake_at, number, self.worker, self._epochs[run_id])

    def made(self, run_id: str) -> None:
        """Note that a run is about to be made: its row names this worker, in the first epoch."""
        self._epochs[run_id] = 1

    def fence(self, run_id: str, number: int) -> Fence:
        """Return what a commit of the run must find."""
        return number, self._epochs[run_id]

    def doubt(self, run_id: str) -> None:
        """Note that a commit failed, or that its answer was lost: the next use claims anew."""
        self._doubted.add(run_id)

    def forget(self, run_id: str) -> None:
        """Forget the epoch: the run is in memory no more."""
        self._epochs.pop(run_id, None)
        self.came.discard(run_id)

    async def _place(self, run_id: str) -> Sequence[Any] | None:
        found = await self._reader.rows(PLACE, (run_id,))
        return found[0] if found else None
