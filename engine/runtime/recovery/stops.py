"""How long an activation waits that trouble stopped: longer each time, while it gets nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.ports import Clock

if TYPE_CHECKING:
    from engine.core.decide.scheduler import Claim

STOPPED_SECONDS = 0.05
MAX_STOPPED_SECONDS = 60.0
"""How soon, and how seldom at most, an activation is begun again whose execution was stopped. Each
time is an event: the log of one that can never get on grows by 1,440 a day.
"""

LONG_AGO_SECONDS = 60
"""After so long without another stop an activation has got on: a try may hang before it fails, which
is no progress, but no read is waited for as long as that.
"""


class Stopped(Exception):
    """An execution ended by what is no fault of its node; the cause is what that was."""

    def __init__(self, run_id: str, claim: Claim) -> None:
        super().__init__(run_id, claim.key)
        self.run_id = run_id
        self.claim = claim


class Stops:
    """What was stopped lately in one process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waits: dict[tuple[str, str], tuple[float, int]] = {}

    def wait_s(self, run_id: str, key: str) -> float:
        """Return how long an activation waits that was stopped just now, in seconds.

        Twice as long as the time before, unless that is forgotten.
        """
        waited, _until = self._waits.get((run_id, key), (STOPPED_SECONDS / 2, 0))
        wait = min(2 * waited, MAX_STOPPED_SECONDS)
        self._waits[run_id, key] = wait, self._clock.now() + round(wait * 1000)
        return wait

    def forget(self) -> None:
        """Forget what has gone on for a while since it was begun again; asked now and then."""
        before = self._clock.now() - LONG_AGO_SECONDS * 1000
        self._waits = {one: wait for one, wait in self._waits.items() if wait[1] >= before}
