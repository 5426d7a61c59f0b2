"""Time and chance of one simulated process."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.runtime.stores.requests import Wish
    from tests.simulation.harness import Boot

EPOCH_MS = 1_800_000_000_000


class VirtualClock:
    """The loop's time as a wall clock that can be moved."""

    def __init__(self, loop: asyncio.AbstractEventLoop, jumped_ms: int = 0) -> None:
        self._loop = loop
        self.jumped_ms = jumped_ms

    def now(self) -> int:
        return EPOCH_MS + round(self._loop.time() * 1000) + self.jumped_ms

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class SeededEntropy:
    """Chance from a seed; ids that no other boot of the schedule makes."""

    def __init__(self, rng: Random, boot: int = 0) -> None:
        self._rng = rng
        self._boot = boot
        self._ids = 0

    def random(self) -> float:
        return self._rng.random()

    def new_id(self) -> str:
        self._ids += 1
        return f"id-{self._boot}-{self._ids}"


def stand_at_the_mailbox(boot: Boot) -> None:
    """Let the process die on either side of a wish that becomes durable, and before it is heard."""
    ask = boot.store.requests.ask

    async def asked(run_id: str, wish: Wish) -> int:
        await boot.point("ask")
        number = await ask(run_id, wish)
        await boot.point("asked")
        return number

    boot.store.requests.ask = asked  # type: ignore[method-assign]
