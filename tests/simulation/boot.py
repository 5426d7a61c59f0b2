"""One life of a simulated process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.local import LocalGraphs
from engine.runtime.runner import Runner
from engine.runtime.stores.buffered import BufferedStore
from tests.engine.posted import heard
from tests.simulation.loop import VirtualLoop

if TYPE_CHECKING:
    from tests.simulation.harness import Simulation


@dataclass
class Boot:
    """One life of the process. After a crash none of its ports answers."""

    number: int
    loop: VirtualLoop
    clock: Any
    graphs: LocalGraphs
    sim: Simulation
    store: BufferedStore = field(init=False)
    runner: Runner = field(init=False)

    async def point(self, name: str) -> None:
        """A place where the process may die, or the answer be slow."""
        rng, world = self.sim.rng, self.sim.world
        if world.chance(self.sim.crash_at_points) or self.sim.is_the_moment():
            self.sim.crash(self)
            await self.loop.create_future()
        if world.chance(0.08):
            await self.clock.sleep(rng.choice((0.001, 0.01, 0.5, 4.0)))
        elif name.startswith("model") and world.chance(0.03):
            await self.clock.sleep(70)
        else:
            await self.clock.sleep(rng.random() * 0.02)

    async def heard(self, run_id: str, number: int) -> dict[str, Any]:
        """Return what was granted of a request that is durable."""
        return await heard(self.runner, run_id, number)


MakeStore = Callable[[Boot], BufferedStore]
