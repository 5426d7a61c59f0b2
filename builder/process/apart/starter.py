"""A runner that begins runs and executes none."""

from __future__ import annotations

from builder.base.bells import STARTS, hub
from engine.core.decide.begin.places import wait_for_place
from engine.core.decide.scheduler import Advance, Claim
from engine.core.decide.start import begin_run, require_memory
from engine.core.decide.transition import Transition
from engine.core.state.program import Program
from engine.core.state.requests import StartRun
from engine.runtime.runner import Runner


class Starter(Runner):
    """Writes the first events of runs; whoever claims a run goes on from them."""

    async def start(self, start: StartRun, program: Program) -> str:
        """Record the start of a run, durable on return, and return its id."""

        def begin(tx: Transition) -> Advance:
            begin_run(tx, start, program.spec)
            require_memory(tx, self.services.memory)
            wait_for_place(tx, self.env.limited)
            return Advance([])

        self.follow(start.run_id, await self.store.create(start, program, begin))
        return start.run_id

    def follow(self, run_id: str, moved: Advance, *, hand_back: bool = False) -> Claim | None:
        """Ring for those who execute runs."""
        hub.ring(STARTS)
        return None

    def _deliver(self) -> None:
        """Leave word between runs to those who execute them."""
