"""Time and chance of one simulated process."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

from tests.engine.posted import post

if TYPE_CHECKING:
    from engine.runtime.stores.requests import Wish
    from tests.simulation.boot import Boot

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


async def ask(boot: Boot, run_id: str, wish: Wish) -> dict[str, Any]:
    """Post a wish and return what was granted; the process may die on either side of its row.

    Raises `RequestRefused`, `StoreError`.
    """
    await boot.point("ask")
    number = await post(boot.store, run_id, wish)
    await boot.point("asked")
    return await boot.heard(run_id, number)
