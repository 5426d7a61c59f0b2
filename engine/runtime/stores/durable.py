"""What a kind of store has to know: how to make a batch durable, and what is durable already."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from engine.core.errors import RunNotFound
from engine.core.ports import GraphSource
from engine.core.state.events import Event
from engine.core.state.fold.run import evolve, new_state
from engine.core.state.run_state import RunState
from engine.runtime.stores.requests import Requests
from engine.runtime.stores.warm_run import Batch, KeptFacts, Signal


class DurableRuns(ABC):
    """The durable side of a store. Subclasses say what durable means."""

    graphs: GraphSource
    requests: Requests
    """What is asked of runs and not answered yet."""
    strays: set[str]
    """Runs that came here from others while they moved, and that nobody has taken over yet."""
    facts: KeptFacts

    @abstractmethod
    def _prepare(self, batch: Batch) -> None:
        """Work out what to write while the state is exactly that of the batch's last event."""

    @abstractmethod
    async def _persist(self, batch: Batch) -> None:
        """Make a batch durable, or raise `StoreError`. Called in the order of emission."""

    def _persist_at_once(self, batch: Batch) -> bool:
        """Make a batch durable without waiting, or raise `StoreError`.

        False where the store cannot do that now: then nothing has happened.
        """
        return False

    @abstractmethod
    async def _read(self, run_id: str, after: int, limit: int | None) -> list[Event]:
        """Return durable events, oldest first; empty for an unknown run."""

    def may_send(self) -> bool:
        """Return whether calls may leave: nobody else can have taken runs from here by now."""
        return True

    async def hand_over(self, _run_id: str) -> None:
        """Leave to whoever has a run what the outside answered here."""
        return

    async def events(self, run_id: str, after: int = 0, limit: int = 200) -> Sequence[Event]:
        """Return durable events with `seq > after`, oldest first."""
        return await self._read(run_id, after, limit)

    async def _fold(self, run_id: str, seq: int | None) -> RunState:
        events = await self._read(run_id, 0, seq)
        if not events:
            raise RunNotFound(f"no run {run_id}")
        program = await self.graphs.graph_of_run(run_id, events[0].data)
        state = new_state(program)
        state.run_id = run_id
        for event in events:
            evolve(state, event)
        return state

    async def state(self, run_id: str, seq: int | None = None) -> RunState:
        """Return a private copy of the state at `seq`, folded from the durable log."""
        return await self._fold(run_id, seq)

    @abstractmethod
    async def signals(self) -> Sequence[tuple[int, Signal]]:
        """Return durable signals that had no effect yet, oldest first."""

    @abstractmethod
    async def delivered(self, number: int) -> None:
        """Note that a signal has had its effect."""

    @abstractmethod
    async def unfinished(self) -> Sequence[str]:
        """Return the ids of runs without terminal event, oldest first."""

    async def movable(self) -> Sequence[str]:
        """Return those of the unfinished runs that may have something to do, oldest first."""
        return await self.unfinished()

    @abstractmethod
    async def let_rest(self, runs: Sequence[str]) -> None:
        """Leave runs that only wait where they are durable; the next use brings them back."""

    async def died(self) -> Sequence[str]:
        """Return the ids of unfinished runs whose process died while others went on."""
        return ()

    async def asking_for_budget(self) -> Sequence[str]:
        """Return the ids of runs that may wait for a person to raise a budget."""
        return await self.unfinished()

    @abstractmethod
    async def run_of_request(self, request_id: str) -> str | None:
        """Return the run that opened the interrupt, None for an unknown one."""
