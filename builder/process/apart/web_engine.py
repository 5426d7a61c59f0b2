"""The door of a process that only serves people: it begins runs, and asks their owners by rows."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from builder.adapters.run_store.apart.unowned_store import UnownedStore
from builder.adapters.run_store.database_clock import DatabaseClock
from builder.adapters.run_store.heartbeat import Heartbeat
from builder.adapters.run_store.places import WorkspacePlaces
from builder.base.bells import LIMITS, breaker_topic, hub
from builder.process.apart.asking import answer_to
from builder.process.apart.starter import Starter
from builder.process.engine_thread import EmbeddedEngine
from builder.process.runner import dialect, make_runner
from engine.core.errors import StoreError
from engine.runtime.stores.requests import Told

LEARN_SECONDS: Final = 1.0
"""How late a limit is known here at most that was set elsewhere."""
log = logging.getLogger("graphwright.web")


class WebEngine(EmbeddedEngine):
    """An `EngineDoor` without an engine behind it."""

    def __init__(self) -> None:
        super().__init__(
            lambda: make_runner(
                dialect(), store_kind=UnownedStore, kind=Starter, clock=DatabaseClock()
            )
        )

    async def _open(self) -> None:
        self.runner = self._make()
        self._heartbeat = Heartbeat(self._store, "web", alone=False)
        await self._heartbeat.begin()
        await self._store.open()
        self._watch = asyncio.ensure_future(self._watch_forever())

    async def _watch_forever(self) -> None:
        """Know how many runs of each workspace may move: whoever begins one has to say so."""
        while True:
            try:
                await self._places.learn()
            except StoreError as error:
                log.warning("what workspaces allow could not be read: %s", error)
            await asyncio.sleep(LEARN_SECONDS)

    @property
    def _places(self) -> WorkspacePlaces:
        places = self._ready.services.places
        assert isinstance(places, WorkspacePlaces)
        return places

    def answer_to(self, run_id: str, number: int, within_s: float) -> Told | None:
        """Ring for a request to a run that is committed; return what became of it."""
        rows, runner = self._store.requests, self._ready
        waiting = answer_to(rows, run_id, number, within_s=within_s, is_over=lambda: runner.closed)
        return self._call(waiting)

    def reset_breaker(self, breaker_id: str) -> bool:
        """Close a circuit breaker by its row; return whether there is such a one."""
        known = super().reset_breaker(breaker_id)
        hub.ring(breaker_topic(breaker_id))
        return known

    def limits_changed(self) -> None:
        """Tell those who execute runs that people have set limits."""
        self._call(self._places.learn())
        hub.ring(LIMITS)
