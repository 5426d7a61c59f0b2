"""Which runs a process has in memory, to look at."""

from __future__ import annotations

from abc import ABC

from engine.core.state.run_state import RunState
from engine.runtime.stores.durable import DurableRuns
from engine.runtime.stores.warm_run import Warm


class WarmRuns(DurableRuns, ABC):
    """Runs in memory, by id, beside what is durable of all."""

    _warm: dict[str, Warm]

    def peek(self, run_id: str) -> RunState | None:
        """Return the warm state, to look at and not to change; None if the run is not warm."""
        warm = self._warm.get(run_id)
        return None if warm is None else warm.state

    def idle(self) -> list[RunState]:
        """Return the runs in memory that only wait, with nothing still to be written."""
        return [warm.state for warm in self._warm.values() if warm.rests]
