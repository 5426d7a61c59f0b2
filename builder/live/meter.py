"""How many messages a client may send."""

from __future__ import annotations

import time
from collections import deque
from typing import Final

MAX_MESSAGES: Final = 30
PER_S: Final = 10.0


class Meter:
    """Allows `MAX_MESSAGES` in any `PER_S` seconds."""

    def __init__(self) -> None:
        self._times: deque[float] = deque()

    def allows(self, now: float | None = None) -> bool:
        """Count one message and return whether it is within the limit."""
        at = time.monotonic() if now is None else now
        while self._times and self._times[0] <= at - PER_S:
            self._times.popleft()
        self._times.append(at)
        return len(self._times) <= MAX_MESSAGES
