"""The processes of a schedule with several owners: workers that beat and scan, and a web process."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from builder.adapters.run_store.apart.worker_store import SILENT_SECONDS, WorkerStore
from builder.adapters.run_store.beats import BEAT, BEAT_SECONDS
from builder.adapters.run_store.database_clock import DatabaseClock
from builder.adapters.run_store.heartbeat import BEGIN, LEAVE
from engine.core.errors import Cancelled, RunElsewhere, StoreError
from engine.runtime.stores.requests import outcome
from engine.runtime.stores.sql.store import sqlite_dialect
from engine.runtime.stores.sql.writer import Dialect
from tests.simulation.boot import Boot
from tests.simulation.ports import EPOCH_MS

if TYPE_CHECKING:
    from tests.simulation.owners.schedule import Owners

ASKED_SECONDS = 10.0
"""How long somebody waits for an answer of a run before they are told to look later."""
DRAIN_SECONDS = 30.0


def simulated(path: Path, now: Callable[[], float]) -> Dialect:
    """Return how to reach a database whose clock is that of the schedule, and that numbers runs."""
    plain = sqlite_dialect(path, synchronous="OFF")
    numbers = itertools.count(1)

    def connect() -> Any:
        connection = plain.connect()
        connection.create_function("now_ms", 0, lambda: EPOCH_MS + round(now() * 1000))
        connection.create_function("next_number", 0, lambda: next(numbers))
        return connection

    return replace(plain, connect=connect, now_ms="now_ms()", next_number="SELECT next_number()")


@dataclass
class Worker(Boot):
    """A process that executes runs. `place` is which of them it is, over all of its lives."""

    place: int = 0
    deaf_until: float = 0.0
    """Until when no beat of it arrives."""
    working: asyncio.Task[None] | None = None
    rung: asyncio.Event = field(default_factory=asyncio.Event)
    _confirmed: float = 0.0
    _longest: float = 0.0
    _said: int = 0

    @property
    def owners(self) -> Owners:
        return cast("Owners", self.sim)

    @property
    def shared(self) -> WorkerStore:
        return cast(WorkerStore, self.store)

    async def point(self, name: str) -> None:
        """As of any process; what is noted of a commit is noted in the order of commits."""
        if name != "committed":
            await super().point(name)
        elif self.sim.world.chance(self.sim.crash_at_points):
            self.sim.crash(self)
            await self.loop.create_future()

    async def work(self) -> None:
        """Begin, and look for what there is to do until the process ends."""
        self._confirmed = self.loop.time()
        row = (self.shared.owned.worker, "here", self.number, "worker", "0")
        try:
            await self.shared.writer.write([(BEGIN, row)])
            self._say_alive(self.loop.time())
            self._heard(self.loop.time())
            self.shared.silent_s = self.silent_s
            await self.shared.open()
        except StoreError:  # whoever watches over processes starts another one
            self.owners.ends(self, 0.1)
            await self.loop.create_future()
        self.owners._spawn(self, self._beat())
        while True:
            with suppress(StoreError):
                await self.runner.recovery.scan()
                await self.shared.reload_budgets()
                await self.runner.rechecks.look()
            with suppress(TimeoutError):
                async with asyncio.timeout(0.75 + self.sim.rng.random() / 2):
                    await self.rung.wait()
            self.rung.clear()
            if self.silent_s() > SILENT_SECONDS:
                await self.begin_anew()

    async def begin_anew(self) -> None:
        """Begin as another worker, once what is under way is answered."""
        await self._see_out()
        self.owners.ends(self, 0.1)
        await self.loop.create_future()

    async def end(self) -> None:
        """End as SIGTERM has it: what is under way is answered first, the rest is left to others."""
        if self.working is not None:
            self.working.cancel()
        await self._see_out()
        await self.runner.close()
        await self._leave()
        with suppress(StoreError):
            await self.shared.writer.write([(LEAVE, (self.shared.owned.worker,))])
        self.owners.ends(self, self.sim.rng.random() * 5)
        await self.loop.create_future()

    async def _see_out(self) -> None:
        await self.runner.under_way.drain(
            DRAIN_SECONDS, self.clock, lambda: self.shared.committing, self._leave
        )
        await self.runner.recovery.hand_over()

    async def _leave(self, but: Collection[str] = ()) -> None:
        with suppress(StoreError):
            await self.shared.owned.let_go(but)

    def silent_s(self) -> float:
        """Return how long the database has not heard of this process, at the longest."""
        return max(self.loop.time() - self._confirmed, self._longest)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            sent = self.loop.time()
            if sent < self.deaf_until or self.sim.world.chance(0.05):
                continue
            await asyncio.sleep(self.sim.rng.random() * 0.2)
            self._say_alive(sent)
            await asyncio.sleep(self.sim.rng.random() * 0.2)
            self._heard(sent)

    def _say_alive(self, sent: float) -> None:
        connection, dialect = self.owners.look.connection, self.owners.look.dialect
        asked = connection.execute(dialect.sql(BEAT), (self.shared.owned.worker,))
        [self._said] = asked.fetchone()
        self._longest = max(self._longest, sent - self._confirmed)
        self._confirmed = sent

    def _heard(self, sent: float) -> None:
        assert isinstance(self.clock, DatabaseClock)
        self.clock.learn(self._said, sent, self.loop.time())

    def ring(self, run_id: str | None) -> None:
        """Hear a bell, of a run or that some were begun; called from outside of its loop."""
        if run_id is None:
            self.loop.call_soon(self.rung.set)
        else:
            self.loop.call_soon(lambda: self.owners._spawn(self, self._look(run_id)))

    async def _look(self, run_id: str) -> None:
        with suppress(RunElsewhere, StoreError, Cancelled):
            known = self.shared.peek(run_id) is not None
            if known or await self.shared.owned.is_free(run_id):
                await self.runner.mailbox.look(run_id)


@dataclass
class Web(Boot):
    """A process that begins runs and asks their owners by rows. It never dies."""

    async def point(self, name: str) -> None:
        await self.clock.sleep(self.sim.rng.random() * 0.02)

    async def heard(self, run_id: str, number: int) -> dict[str, Any]:
        """Ring for a request and look for its answer. Raises `StoreError` where that takes long."""
        owners = cast("Owners", self.sim)
        owners.ring(run_id)
        until = self.loop.time() + ASKED_SECONDS
        while self.loop.time() < until:
            told = await self.store.requests.told(number)
            if told is not None:
                return outcome(told)
            await self.clock.sleep(0.5)
        raise StoreError("no answer came yet")
