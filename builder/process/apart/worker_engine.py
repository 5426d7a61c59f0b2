"""The engine of a worker among others: it takes what nobody alive has, and leaves what it cannot end."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import sys
from collections.abc import Collection
from typing import Final

from django.conf import settings

from builder.adapters.run_store.apart.worker_store import SILENT_SECONDS, WorkerStore
from builder.adapters.run_store.database_clock import DatabaseClock
from builder.adapters.run_store.heartbeat import Heartbeat
from builder.base.bells import LIMITS, STARTS, Frame, asked_topic, breaker_topic, hub
from builder.process.apart.asking import answer_to
from builder.process.drain import see_out
from builder.process.engine_thread import EmbeddedEngine
from builder.process.runner import dialect, make_runner
from engine.core.errors import RunElsewhere, StoreError
from engine.runtime.stores.requests import Told

SCAN_SECONDS: Final = 1.0
"""How often a worker looks for what no bell told it of; each time a quarter more or less."""
LEAVE_SECONDS: Final = 10.0
"""Beside `DRAIN_SECONDS`, for what a worker that begins anew tells others."""
ROOM_SECONDS: Final = 0.05
"""How often a worker that had no room for all looks whether it has some again."""
log = logging.getLogger("graphwright.worker")


class WorkerEngine(EmbeddedEngine):
    """An engine that shares its database."""

    def __init__(self) -> None:
        super().__init__(
            lambda: make_runner(dialect(), store_kind=WorkerStore, clock=DatabaseClock())
        )
        self._rung = asyncio.Event()

    async def _open(self) -> None:
        self.runner = self._make()
        self._heartbeat = Heartbeat(self._store, "worker", alone=False)
        await self._heartbeat.begin()
        self._workers_store.silent_s = self._heartbeat.silent_s
        await self._store.open()
        self._taking_over = asyncio.create_task(self.runner.recovery.scan())
        await self._taking_over
        self._watch = asyncio.ensure_future(self._watch_forever())

    @property
    def _workers_store(self) -> WorkerStore:
        store = self._store
        assert isinstance(store, WorkerStore)
        return store

    async def _watch_forever(self) -> None:
        while True:
            try:
                async with asyncio.timeout(SCAN_SECONDS * random.uniform(0.75, 1.25)):
                    await self._bell_or_room()
            except TimeoutError:
                pass
            self._rung.clear()
            await self._begin_anew_if_silent()
            try:
                await self._ready.recovery.scan()
                await self._reload_budgets()
                await self._workers_store.learn_breakers()
            except StoreError as error:
                log.warning("a scan failed; the next one follows: %s", error)
            except Exception:  # whatever broke one scan, runs depend on the next one
                log.exception("a scan failed; the next one follows")

    async def _bell_or_room(self) -> None:
        """Return once somebody rang, or soon where a look left runs and there is room for them."""
        store = self._workers_store
        while True:
            try:  # a pause in any case: what cannot be claimed is left by each look
                async with asyncio.timeout(ROOM_SECONDS if store.left_some else None):
                    await self._rung.wait()
                return
            except TimeoutError:
                if store.room():
                    return

    async def _begin_anew_if_silent(self) -> None:
        """Begin as another worker where others may take the runs of this one for orphans.

        What it has sent is answered first: whoever has the run by now is told.
        """
        assert self._heartbeat is not None
        if self._heartbeat.silent_s() > SILENT_SECONDS:
            log.critical("no sign of life reached the database for a while: beginning anew")
            try:
                async with asyncio.timeout(settings.DRAIN_SECONDS + LEAVE_SECONDS):
                    await self._see_out()
            except Exception:  # the database may be what does not answer: others wait for its runs
                log.exception("what this worker has sent could not all be told")
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])

    async def _see_out(self) -> None:
        """Send nothing more, and leave what calls under way give to those who have their runs."""
        await see_out(self._ready, self._leave)
        await self._ready.recovery.hand_over()

    async def _close(self) -> None:
        """Stop executing, and leave to others what is not over."""
        assert self._heartbeat is not None
        if self._watch is not None:
            self._watch.cancel()
        try:
            await self._heartbeat.drain()
        except StoreError as error:
            log.warning("that this worker ends could not be written: %s", error)
        await self._see_out()
        await self._ready.close()
        await self._leave()
        await super()._close()

    async def _leave(self, but: Collection[str] = ()) -> None:
        """Let others have what is unfinished, but for these runs."""
        try:
            await self._store.owned.let_go(but)
        except StoreError as error:
            log.warning("the runs of this worker could not be left to others: %s", error)
        hub.ring(STARTS)

    def heard(self, topic: str, _frame: Frame | None) -> None:
        """Take a bell of another process; called on any thread."""
        if self._loop.is_closed():
            return
        _kind, _, name = topic.partition(":")
        if topic in (STARTS, LIMITS):
            self._loop.call_soon_threadsafe(self._rung.set)
        elif topic == asked_topic(name):
            asyncio.run_coroutine_threadsafe(self._look(name), self._loop)
        elif topic == breaker_topic(name):
            asyncio.run_coroutine_threadsafe(self._learn_breakers(), self._loop)

    async def _learn_breakers(self) -> None:
        try:
            await self._workers_store.learn_breakers()
        except StoreError as error:  # the next scan asks again
            log.warning("how circuits stand could not be read: %s", error)

    async def _look(self, run_id: str) -> None:
        """Apply what is asked of a run, if it is this worker's or nobody's."""
        try:
            if self._store.peek(run_id) is not None or await self._store.owned.is_free(run_id):
                await self._ready.mailbox.look(run_id)
        except RunElsewhere:  # another worker was quicker
            return
        except StoreError as error:
            self._ready.services.report(error)

    def answer_to(self, run_id: str, number: int, within_s: float) -> Told | None:
        """Ring for a request to a run that is committed; return what became of it."""
        return self._call(self._answer_to(run_id, number, within_s))

    async def _answer_to(self, run_id: str, number: int, within_s: float) -> Told | None:
        runner = self._ready
        runner.in_background(self._look(run_id))
        return await answer_to(
            self._store.requests,
            run_id,
            number,
            within_s=within_s,
            is_over=lambda: runner.closed,
        )
