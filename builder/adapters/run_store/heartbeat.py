"""The sign of life of the process that runs activations: one row, renewed from the engine's loop.

What it owns is nobody else's while the row is fresh (`engine.runtime.stores.sql.ownership`).

It is written from that loop and through that writer on purpose: a beat proves that both still turn.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from typing import TYPE_CHECKING, Final

from engine.core.errors import StoreError

if TYPE_CHECKING:
    from engine.runtime.stores.sql.store import SqlRunStore

BEAT_SECONDS: Final = 5
FORGET_MS: Final = 3_600_000
"""Processes that were not heard of for so long are not listed any more."""

BEGIN: Final = (
    "INSERT INTO builder_worker (boot_id, host, pid, started_at, last_seen_at) "
    "VALUES (?, ?, ?, ?, ?)"
)
BEAT: Final = "UPDATE builder_worker SET last_seen_at = ? WHERE boot_id = ?"
BURY: Final = "UPDATE builder_worker SET last_seen_at = 0 WHERE boot_id <> ?"
"""Whoever begins holds the database alone: what else has a row is dead."""
OTHERS: Final = "SELECT COUNT(*) FROM builder_worker"
LEAVE: Final = "DELETE FROM builder_worker WHERE boot_id = ? OR started_at <= ?"
"""With the rows of those that died before: their runs were taken over long ago."""

FORGET: Final = "DELETE FROM builder_worker WHERE last_seen_at < ?"

log = logging.getLogger("graphwright.engine")


class Heartbeat:
    """The row of this process, from `begin` to `leave`."""

    def __init__(self, store: SqlRunStore) -> None:
        self._store = store
        self._boot_id = store.owned.worker
        self._started_at = 0
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> bool:
        """Write the row, drop those of processes long gone, and renew it until `leave`.

        Return whether the process before this one died: then its row is still there.
        """
        [[left]] = await self._store.reader.rows(OTHERS)
        now = self._started_at = self._store.clock.now()
        row = (self._boot_id, socket.gethostname()[:255], os.getpid(), now, now)
        await self._store.writer.write(
            [(FORGET, (now - FORGET_MS,)), (BURY, (self._boot_id,)), (BEGIN, row)]
        )
        self._task = asyncio.ensure_future(self._beat_forever())
        return bool(left)

    async def leave(self) -> None:
        """Take the row away: the process ends by its own will, and has stopped executing."""
        if self._task is None:
            return
        self._task.cancel()
        try:
            await self._store.writer.write([(LEAVE, (self._boot_id, self._started_at))])
        except StoreError:
            log.warning("the orderly end could not be written; the next start takes it for a crash")

    async def _beat_forever(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                now = self._store.clock.now()
                await self._store.writer.write([(BEAT, (now, self._boot_id))])
            except StoreError:
                log.warning("the sign of life could not be written; the next one follows")
