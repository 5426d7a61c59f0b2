"""The thread that renews a worker's sign of life, on a connection of its own.

A commit that takes long must not make a healthy worker look dead, nor may a full queue of commits.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from engine.runtime.stores.sql.writer import Dialect

BEAT_SECONDS: Final = 5.0
STOP_SECONDS: Final = 2.0
BEAT: Final = "UPDATE builder_worker SET last_seen_at = NOW_MS WHERE boot_id = ? RETURNING NOW_MS"

Learn = Callable[[int, float, float], None]

log = logging.getLogger("graphwright.engine")


class Beats:
    """Beats from `start` to `stop`, as long as `is_well` says so.

    `learn` is told what time the database says with each, and when that was asked and heard.
    """

    def __init__(
        self,
        dialect: Dialect,
        boot_id: str,
        is_well: Callable[[], bool],
        every_s: float = BEAT_SECONDS,
        learn: Learn | None = None,
    ) -> None:
        self._learn = learn
        self._dialect = dialect
        self._boot_id = boot_id
        self._is_well = is_well
        self._every_s = every_s
        self._connection: Any = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="beats", daemon=True)
        self._confirmed = time.monotonic()
        self._longest = 0.0

    def start(self) -> None:
        """Begin; the row is there, and says that the worker was just seen."""
        self._confirmed = time.monotonic()
        self._thread.start()

    def stop(self) -> None:
        """End. A beat that hangs is not waited for."""
        self._ended.set()
        self._thread.join(STOP_SECONDS)

    def silent_s(self) -> float:
        """Return how long ago the last beat was sent that the database has confirmed.

        Or the longest that it has been: who was stopped for a while may have been taken for dead,
        however soon its beats return.
        """
        return max(time.monotonic() - self._confirmed, self._longest)

    def _run(self) -> None:
        while not self._ended.wait(self._every_s):
            if self._is_well():
                self.beat()
        self._close()

    def beat(self) -> None:
        """Say once that this process lives, and take the time from whoever hears it."""
        sent = time.monotonic()
        try:
            if self._connection is None:
                self._connection = self._dialect.connect()
            asked = self._connection.execute(self._dialect.sql(BEAT), (self._boot_id,))
            said = asked.fetchone()
        except Exception as error:  # noqa: BLE001  (whatever it was, the next beat follows)
            log.warning("the sign of life could not be written; the next one follows: %s", error)
            self._close()
        else:
            self._longest = max(self._longest, sent - self._confirmed)
            self._confirmed = sent
            if said is not None and self._learn is not None:
                self._learn(int(said[0]), sent, time.monotonic())

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
