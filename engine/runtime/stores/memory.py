"""Runs in a dictionary: for tests, scripts and the command line. Gone with the process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.core.budgets.ledger import Ledger
from engine.core.ports import Clock, Feed, GraphSource
from engine.core.state.breakers import MemoryBreakers
from engine.core.state.events import TERMINAL_EVENTS, Event
from engine.runtime.stores.buffered import Batch, BufferedStore, RunExists, Signal
from engine.runtime.stores.memory_requests import MemoryRequests, Posted


@dataclass(slots=True)
class Medium:
    """What a store has made durable. Stores that share one stand for successive processes."""

    logs: dict[str, list[Event]] = field(default_factory=dict)
    outbox: dict[int, Signal] = field(default_factory=dict)
    requests: dict[str, str] = field(default_factory=dict)
    posted: Posted = field(default_factory=Posted)
    triggers: dict[tuple[str | None, str], str] = field(default_factory=dict)
    unfinished: dict[str, None] = field(default_factory=dict)
    signals: int = 0
    ledger: Ledger = field(default_factory=Ledger)
    breakers: MemoryBreakers = field(default_factory=MemoryBreakers)


class MemoryRunStore(BufferedStore):
    """A store of runs in memory. Flushed means: in the medium."""

    def __init__(
        self,
        clock: Clock,
        graphs: GraphSource,
        feed: Feed | None = None,
        medium: Medium | None = None,
    ) -> None:
        super().__init__(clock, graphs, feed)
        self.medium = medium or Medium()
        self.breakers = self.medium.breakers
        self.requests = MemoryRequests(self.medium.posted)
        durable = self.medium.ledger
        self.ledger.shared = durable.shared
        self.ledger.rows.update((row_id, replace(row)) for row_id, row in durable.rows.items())
        self.ledger.holds.update((hold_id, replace(h)) for hold_id, h in durable.holds.items())

    @property
    def logs(self) -> dict[str, list[Event]]:
        """The durable logs by run."""
        return self.medium.logs

    def _prepare(self, batch: Batch) -> None:
        """Work out nothing: the events are all that is kept."""

    async def _persist(self, batch: Batch) -> None:
        medium, start = self.medium, batch.start
        log = medium.logs.get(batch.run_id, [])
        if batch.events and batch.events[0].seq != len(log) + 1:
            raise RunExists(batch.run_id)
        medium.posted.tell(batch.told)
        if start is not None and start.trigger_key is not None:
            trigger = (start.workspace_id, start.trigger_key)
            if trigger in medium.triggers:
                raise RunExists(medium.triggers[trigger])
            medium.triggers[trigger] = batch.run_id
        medium.logs.setdefault(batch.run_id, log).extend(batch.events)
        for signal in batch.signals:
            medium.outbox[medium.signals] = signal
            medium.signals += 1
        for event in batch.events:
            if event.type == "InterruptOpened":
                medium.requests[event.data["request_id"]] = batch.run_id
            medium.ledger.replay(batch.run_id, event, self.ledger)
        if any(event.type in TERMINAL_EVENTS for event in batch.events):
            medium.unfinished.pop(batch.run_id, None)
        elif batch.events:
            medium.unfinished[batch.run_id] = None

    async def _read(self, run_id: str, after: int, limit: int | None) -> list[Event]:
        log = self.medium.logs.get(run_id, [])
        return log[after:] if limit is None else log[after : after + limit]

    async def unfinished(self) -> Sequence[str]:
        """Return the ids of runs without terminal event, oldest first."""
        return list(self.medium.unfinished)

    async def let_rest(self, runs: Sequence[str]) -> None:
        """Keep runs where they are: memory is all that there is."""

    async def run_of_request(self, request_id: str) -> str | None:
        """Return the run that opened the interrupt."""
        return self.medium.requests.get(request_id)

    async def signals(self) -> list[tuple[int, Signal]]:
        """Return what is still to be delivered, oldest first."""
        return list(self.medium.outbox.items())

    async def delivered(self, number: int) -> None:
        """Note that a signal has had its effect."""
        self.medium.outbox.pop(number, None)
