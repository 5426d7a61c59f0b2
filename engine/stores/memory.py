"""Runs in a dictionary: for tests, scripts and the command line. Gone with the process."""

from __future__ import annotations

from collections.abc import Sequence

from engine.events import Event
from engine.ports import Clock, Feed, GraphSource
from engine.stores.buffered import Batch, BufferedStore, RunExists, Signal


class MemoryRunStore(BufferedStore):
    """A `RunStore` in memory. Flushed means: in `logs`."""

    def __init__(self, clock: Clock, graphs: GraphSource, feed: Feed | None = None) -> None:
        super().__init__(clock, graphs, feed)
        self.logs: dict[str, list[Event]] = {}
        self.outbox: dict[int, Signal] = {}
        self._requests: dict[str, str] = {}
        self._triggers: dict[tuple[str | None, str], str] = {}
        self._unfinished: dict[str, None] = {}
        self._next_signal = 0

    async def _persist(self, batch: Batch) -> None:
        start = batch.start
        if start is not None and start.trigger_key is not None:
            trigger = (start.workspace_id, start.trigger_key)
            if trigger in self._triggers:
                raise RunExists(self._triggers[trigger])
            self._triggers[trigger] = batch.run_id
        log = self.logs.setdefault(batch.run_id, [])
        log.extend(batch.events)
        for signal in batch.signals:
            self.outbox[self._next_signal] = signal
            self._next_signal += 1
        for event in batch.events:
            if event.type == "InterruptOpened":
                self._requests[event.data["request_id"]] = batch.run_id
        if batch.state.terminal:
            self._unfinished.pop(batch.run_id, None)
        else:
            self._unfinished[batch.run_id] = None

    async def _read(self, run_id: str, after: int, limit: int | None) -> list[Event]:
        log = self.logs.get(run_id, [])
        return log[after:] if limit is None else log[after : after + limit]

    async def unfinished(self) -> Sequence[str]:
        """Return the ids of runs without terminal event, oldest first."""
        return list(self._unfinished)

    async def run_of_request(self, request_id: str) -> str | None:
        """Return the run that opened the interrupt."""
        return self._requests.get(request_id)

    async def signals(self) -> list[tuple[int, Signal]]:
        """Return what is still to be delivered, oldest first."""
        return list(self.outbox.items())

    async def delivered(self, number: int) -> None:
        """Note that a signal has had its effect."""
        self.outbox.pop(number, None)
