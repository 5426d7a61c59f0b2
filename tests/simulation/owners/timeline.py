"""One time for several processes, each with a loop of its own: who is due first takes a turn."""

from __future__ import annotations

import asyncio
import heapq
from asyncio import events
from collections.abc import Sequence
from random import Random
from typing import Any

from tests.simulation.loop import Stuck, VirtualLoop


class Timeline:
    """The time of everything, and until when processes stand still that were stopped."""

    def __init__(self, rng: Random) -> None:
        self.now = 0.0
        self._rng = rng
        self._stopped: dict[VirtualLoop, float] = {}

    def stop(self, loop: VirtualLoop, seconds: float) -> None:
        """Let a process stand still for a while, as SIGSTOP does; then all that is due comes at once."""
        self._stopped[loop] = self.now + seconds

    def stands_still(self, loop: VirtualLoop) -> bool:
        """Return whether a process was stopped and does not go on yet."""
        return self._stopped.get(loop, 0.0) > self.now

    def turn(self, loops: Sequence[VirtualLoop], until: float | None) -> bool:
        """Let the process take one turn that is due first; False where that is `until` or later.

        Raises `Stuck` where nothing is due, ever.
        """
        due = [(self._due(loop), loop) for loop in loops]
        known = [(at, loop) for at, loop in due if at is not None]
        if not known and until is None:
            raise Stuck("nothing is ready and no timer is set")
        first = min((at for at, _loop in known), default=until)
        assert first is not None
        if until is not None and first >= until:
            self.now = max(self.now, until)
            return False
        self.now = max(self.now, first)
        loop = self._rng.choice([loop for at, loop in known if at <= self.now])
        step(loop, self.now)
        return True

    def _due(self, loop: VirtualLoop) -> float | None:
        scheduled: list[Any] = loop._scheduled  # type: ignore[attr-defined]
        while scheduled and scheduled[0]._cancelled:
            heapq.heappop(scheduled)._scheduled = False
        if loop._ready:  # type: ignore[attr-defined]
            at = self.now
        elif scheduled:
            at = scheduled[0]._when
        else:
            return None
        return max(at, self._stopped.get(loop, 0.0))


def step(loop: VirtualLoop, now: float) -> None:
    """Let one process do once what is ready by then."""
    loop._now = max(loop._now, now)
    assert asyncio._get_running_loop() is None
    events._set_running_loop(loop)
    try:
        loop._run_once()
    finally:
        events._set_running_loop(None)
