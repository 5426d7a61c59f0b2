"""The store of a process that begins runs and executes none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from builder.adapters.run_store.apart.worker_store import WorkerStore
from engine.core.decide.transition import Transition
from engine.core.errors import RunElsewhere
from engine.core.state.program import Program
from engine.core.state.requests import StartRun
from engine.core.state.run_state import RunState
from engine.runtime.stores.warm_run import Warm

T = TypeVar("T")


class UnownedStore(WorkerStore):
    """Makes runs that are nobody's yet, and reads all others from their logs."""

    def _owner(self) -> None:
        return None

    async def create(self, start: StartRun, program: Program, fn: Callable[[Transition], T]) -> T:
        """Make a run, durable on return, and leave it to whoever claims it. Raises `RunExists`."""
        try:
            return await super().create(start, program, fn)
        finally:
            self.forget(start.run_id)

    async def warm(self, run_id: str) -> RunState:
        """Return the state as it is in the log now. Raises `RunNotFound`."""
        return await self.state(run_id)

    async def _load(self, run_id: str) -> Warm:
        raise RunElsewhere(f"this process executes no runs, {run_id} neither")
