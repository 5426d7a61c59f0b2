"""What a buffered store keeps of a run: its warm state, and what one flush makes durable."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from engine.core.decide.transition import Transition
from engine.core.errors import StoreError
from engine.core.state.events import TERMINAL_EVENTS, Event
from engine.core.state.requests import StartRun
from engine.core.state.run_state import RunState
from engine.runtime.stores.requests import Told

Signal = tuple[str, str, dict[str, Any]]
"""Word for another run or the outside: topic, reference, payload."""

Answered = tuple[int, Told]
"""The number of a request, and what became of it."""

Fact = Callable[[Transition], Any]
"""Records what the outside answered; leaves alone what is recorded already. One that has a `wish` can
be left to another worker."""


class KeptFacts(dict[str, list[Fact]]):
    """By run, what the outside answered and a commit or an owner lost: recorded once that can be."""

    def keep(self, run_id: str, facts: list[Fact]) -> None:
        """Keep what is lost with a commit, before what was lost already: it came earlier."""
        if facts:
            self[run_id] = facts + self.get(run_id, [])


TOPICS: Final = ("start_child", "start_transition", "child_ended", "child_waiting", "cancel_run")
"""What runs say to each other; a store that shares its outbox keeps all else to itself."""


class RunExists(StoreError):
    """A start with this trigger key exists; `run_id` is the run it made."""

    code = "RunExists"

    def __init__(self, run_id: str, body_hash: str = "") -> None:
        super().__init__(f"run {run_id} exists")
        self.run_id = run_id
        self.body_hash = body_hash


@dataclass(slots=True)
class Warm:
    """One run in memory: its state, and what is not durable yet."""

    state: RunState
    pending: list[Event] = field(default_factory=list)
    signals: list[Signal] = field(default_factory=list)
    flushing: asyncio.Task[None] | None = None
    taken: int = 0
    """Events up to this seq are durable, or in the flush under way."""
    landed: int = 0
    """Events up to this seq are durable."""
    start: StartRun | None = None
    facts: list[Fact] = field(default_factory=list)
    """What recorded the answers among the events that are not durable yet."""
    told: list[Answered] = field(default_factory=list)
    """Answers to requests that are not durable yet."""
    dropped: bool = False
    """Whether what was not durable or on its way was taken back: the run is loaded anew."""

    @property
    def owes(self) -> bool:
        """Whether something of it is still to be flushed."""
        return bool(self.pending or self.signals or self.told)

    @property
    def is_written(self) -> bool:
        """Whether all of it is durable."""
        return not self.owes and self.flushing is None

    @property
    def rests(self) -> bool:
        """Whether it only waits, for people or its turn, and memory has nothing that the log has not."""
        waits = self.state.is_idle or self.state.status == "queued"
        return self.is_written and waits and not self.state.terminal

    def taken_out(self) -> Batch:
        """Return all of that as one batch, and owe it no more."""
        batch = Batch(
            self.state.run_id,
            self.pending,
            self.signals,
            self.state,
            self.start,
            self.facts,
            self.told,
            self.state.seq,
        )
        self.pending, self.signals, self.start, self.facts, self.told = [], [], None, [], []
        self.taken = self.state.seq
        return batch


@dataclass(slots=True)
class Batch:
    """What one flush makes durable for one run. `state` is read for the rows, on the loop."""

    run_id: str
    events: list[Event]
    signals: list[Signal]
    state: RunState
    start: StartRun | None = None
    facts: list[Fact] = field(default_factory=list)
    told: list[Answered] = field(default_factory=list)
    seq: int = 0
    """That of the last event of the run up to here."""
    dirty: set[str] = field(default_factory=set)
    prepared: Any = None
    """What the store worked out in `_prepare`; `state` may be ahead by the time it is written."""

    @property
    def over(self) -> bool:
        """Whether the run ends with this batch."""
        return bool(self.events) and self.events[-1].type in TERMINAL_EVENTS


def swallow(task: asyncio.Future[None]) -> None:
    """A background flush that failed has already dropped the run; recovery takes it from there."""
    if not task.cancelled():
        task.exception()
