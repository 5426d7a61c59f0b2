"""The database's clock, as a process knows it between two looks: one time for all that share runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

SURE_SECONDS: Final = 1.0
"""An answer that took longer says too little of the moment that it tells."""


def system_ms() -> int:
    """Return this machine's own time, in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


class DatabaseClock:
    """Goes on from what the database said last, however this machine's own clock is set meanwhile.

    Until it has said something, by that clock.
    """

    def __init__(
        self,
        system: Callable[[], int] = system_ms,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._monotonic = monotonic
        self._known = float(system()), monotonic()

    def now(self) -> int:
        """Return the database's time, in milliseconds since the epoch."""
        said, since = self._known
        return round(said + (self._monotonic() - since) * 1000)

    def learn(self, said_ms: int, sent: float, heard: float) -> None:
        """Take what the database said between two moments of this machine; on any thread."""
        if heard - sent <= SURE_SECONDS:
            self._known = said_ms + (heard - sent) * 500, heard

    async def sleep(self, seconds: float) -> None:
        """Wait as long as a clock that is right does."""
        await asyncio.sleep(seconds)
