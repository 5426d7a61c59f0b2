"""Work that one process does for all: whoever holds a lock of the database's own does it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final

from builder.process.advisory_lock import HOUSE_KEY
from engine.runtime.stores.sql.ownership import ALIVE_MS

LOOK_SECONDS: Final = 2.0
TRY: Final = "SELECT pg_try_advisory_lock(%s)"

QUIET_MS: Final = ALIVE_MS
"""Who holds the lock and says nothing for so long loses it: a stopped process, or a machine that is gone."""
LOSE_IT: Final = "SELECT set_config('idle_session_timeout', %s, false)"

log = logging.getLogger("graphwright.house")


class House:
    """Keeps the house from `start` to `stop`, while nobody else does."""

    def __init__(
        self,
        connect: Callable[[], Any],
        work: Callable[[], AbstractContextManager[object]],
        quiet_ms: int = QUIET_MS,
    ) -> None:
        self._connect = connect
        self._work = work
        self._quiet_ms = quiet_ms
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="house", daemon=True)

    def start(self) -> None:
        """Begin to ask for the lock."""
        self._thread.start()

    def stop(self) -> None:
        """End the work, and leave it to others."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                self._keep_once()
            except Exception as error:  # noqa: BLE001  (the database is away: the lock is gone)
                log.warning("the work of the house rests: %s", error)
            self._ended.wait(LOOK_SECONDS)

    def _keep_once(self) -> None:
        """Do the work as long as the lock is held; return at once if somebody else has it."""
        connection = self._connect()
        try:
            connection.execute(LOSE_IT, (str(self._quiet_ms),))
            if not connection.execute(TRY, (HOUSE_KEY,)).fetchone()[0]:
                return
            with self._work():
                while not self._ended.wait(LOOK_SECONDS):
                    connection.execute("SELECT 1")
        finally:
            connection.close()
