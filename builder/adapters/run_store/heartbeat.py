"""The sign of life of a process: one row, renewed while its loop turns.

What it owns is nobody else's while the row is fresh (`engine.runtime.stores.sql.ownership`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from typing import TYPE_CHECKING, Final

from builder.adapters.run_store.beats import Beats
from builder.adapters.run_store.database_clock import DatabaseClock
from engine import __version__
from engine.core.errors import StoreError
from engine.runtime.stores.sql.statements import Statement

if TYPE_CHECKING:
    from engine.runtime.stores.sql.store import SqlRunStore

FORGET_MS: Final = 3_600_000
"""Processes that were not heard of for so long are not listed any more."""
HUNG_SECONDS: Final = 60.0
"""A loop that has not turned for so long does nothing for its runs: they go to others."""

BEGIN: Final = (
    "INSERT INTO builder_worker (boot_id, host, pid, kind, version, started_at, last_seen_at) "
    "VALUES (?, ?, ?, ?, ?, NOW_MS, NOW_MS)"
)
BURY: Final = "UPDATE builder_worker SET last_seen_at = 0 WHERE boot_id <> ?"
OTHERS: Final = "SELECT COUNT(*) FROM builder_worker WHERE kind <> 'web'"
DRAIN: Final = "UPDATE builder_worker SET draining = ? WHERE boot_id = ?"
LEAVE: Final = "DELETE FROM builder_worker WHERE boot_id = ?"
LEFT: Final = (
    "DELETE FROM builder_worker WHERE started_at <= "
    "(SELECT started_at FROM builder_worker w WHERE w.boot_id = ?)"
)
"""With the rows of those that died before: their runs were taken over long ago."""
FORGET: Final = f"DELETE FROM builder_worker WHERE last_seen_at < NOW_MS - {FORGET_MS}"  # noqa: S608

log = logging.getLogger("graphwright.engine")


class Heartbeat:
    """The row of this process, from `begin` to `leave`.

    One that is `alone` holds the database, so that whatever else has a row is dead. `kind` is the
    command that it runs.
    """

    def __init__(self, store: SqlRunStore, kind: str = "serve", *, alone: bool = True) -> None:
        self._store = store
        self._kind = kind
        self._alone = alone
        self._boot_id = store.owned.worker
        self._loop: asyncio.AbstractEventLoop | None = None
        self._turned = 0.0
        learn = store.clock.learn if isinstance(store.clock, DatabaseClock) else None
        self._beats = Beats(store.dialect, self._boot_id, self._turns, learn=learn)

    async def begin(self) -> bool:
        """Write the row, drop those of processes long gone, and renew it until `leave`.

        Return whether somebody else has a row: where this process is alone, the one before it died.
        """
        [[left]] = await self._store.reader.rows(OTHERS)
        bury: list[Statement] = [(BURY, (self._boot_id,))] if self._alone else []
        host = socket.gethostname()[:255]
        row = (self._boot_id, host, os.getpid(), self._kind, __version__)
        await self._store.writer.write([(FORGET, ()), *bury, (BEGIN, row)])
        self._loop, self._turned = asyncio.get_running_loop(), time.monotonic()
        if isinstance(self._store.clock, DatabaseClock):  # the time has to be known from here on
            await asyncio.to_thread(self._beats.beat)
        self._beats.start()
        return bool(left)

    async def drain(self) -> None:
        """Say that the process was told to end. Raises `StoreError`."""
        await self._store.writer.write([(DRAIN, (True, self._boot_id))])

    async def leave(self) -> None:
        """Take the row away: the process ends by its own will, and has stopped executing."""
        if self._loop is None:
            return
        await asyncio.to_thread(self._beats.stop)
        try:
            gone = LEFT if self._alone else LEAVE
            await self._store.writer.write([(gone, (self._boot_id,))])
        except StoreError:
            log.warning("the orderly end could not be written; the next start takes it for a crash")

    def silent_s(self) -> float:
        """Return how long ago the last sign of life was sent that the database has confirmed."""
        return self._beats.silent_s()

    def _turns(self) -> bool:
        """Ask the loop to turn, and return whether it has done so of late."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._turn)
        return time.monotonic() - self._turned < HUNG_SECONDS

    def _turn(self) -> None:
        self._turned = time.monotonic()
