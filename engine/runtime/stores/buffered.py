"""The common part of stores with one writing process: warm states, and events buffered until flushed.

Transitions run on the engine's loop, on the one warm state of their run; what they emit is durable
after the next flush, and no effect is released before that. Events of one run that are due
together become one commit, and the commits of all runs that wait become one as well. What the
outside answered outlives a commit that fails: it is applied again where the run is loaded.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import TypeVar

from engine.core.budgets.ledger import Ledger
from engine.core.decide.transition import Transition
from engine.core.errors import RunElsewhere, RunNotFound, StoreError
from engine.core.ports import Clock, Feed, GraphSource
from engine.core.state.breakers import Breaker, MemoryBreakers
from engine.core.state.events import Event
from engine.core.state.fold.run import fold, new_state
from engine.core.state.program import Program
from engine.core.state.requests import StartRun
from engine.core.state.run_state import RunState
from engine.runtime.stores.doubted import DoubtedCommits, take_back
from engine.runtime.stores.warm_run import (
    Answered,
    Batch,
    KeptFacts,
    RunExists,
    Signal,
    Warm,
    swallow,
)
from engine.runtime.stores.warm_runs import WarmRuns

__all__ = ["Batch", "BufferedStore", "RunExists", "Signal", "Warm", "fold", "new_state"]

T = TypeVar("T")

FLUSH_AFTER_SECONDS = 0.002
"""How long events may stay in the buffer when nothing asks for a flush."""

TIMER_SECONDS = 0.0002
"""How much too early a timer may be, and how much too early a flush is nothing to wait for."""

YIELD_SECONDS = 0.005
"""How long one run may keep the loop with commits of its own."""


class BufferedStore(WarmRuns):
    """Logs of runs, and the one door through which they change; its process is the only writer.

    A transition is a closure over the run's state that emits events. It runs to its end without
    awaiting; what it emitted is applied at once and becomes durable with the next flush, in order.
    `flush=True` returns only after that. A closure that raises has emitted nothing.
    """

    def __init__(self, clock: Clock, graphs: GraphSource, feed: Feed | None = None) -> None:
        self.clock = clock
        self.graphs = graphs
        self.feed = feed
        self.ledger = Ledger()
        self.breakers = MemoryBreakers()
        self._warm: dict[str, Warm] = {}
        self._moving: set[str] = set()
        self._buffered: dict[str, tuple[Warm, float]] = {}
        self._sweep: asyncio.TimerHandle | None = None
        self.committing = 0
        self._yielded = 0.0
        self._loading: dict[str, asyncio.Future[Warm]] = {}
        self.doubted = DoubtedCommits(self.ledger)
        self.facts = KeptFacts()
        self._leaving: dict[str, asyncio.Task[None]] = {}
        self.strays: set[str] = set()
        self.on_signals: Callable[[], None] | None = None
        """Told when signals have become durable: somebody must deliver them."""
        self.on_told: Callable[[list[Answered]], None] = lambda _told: None
        """Told which requests were answered, durably: somebody may wait for it."""
        self.on_room: Callable[[set[str]], None] | None = None
        """Told of budgets with more room than before: somebody may wait for it."""
        self.on_moved: Callable[[RunState], None] = lambda _state: None
        """Told of a run of which more is durable: it may have left its place."""
        self.on_lost: Callable[[str], None] = lambda _run_id: None
        """Told of a run that lost events: somebody must take it over."""

    async def create(self, start: StartRun, program: Program, fn: Callable[[Transition], T]) -> T:
        """Make the run with its first transition, durable on return.

        Raises `RunExists` for a run that is durable already, not before it is.
        """
        known = await self._read(start.run_id, 0, 1)
        if start.run_id in self._warm:
            await self.flush(start.run_id)
            known = await self._read(start.run_id, 0, 1)
        if known or start.run_id in self._warm:
            raise RunExists(start.run_id)
        warm = Warm(new_state(program), start=start)
        warm.state.run_id = start.run_id
        self._warm[start.run_id] = warm
        try:
            result = self._apply(warm, "start", fn)
            await self.flush(start.run_id)
        except BaseException:
            self.forget(start.run_id)
            raise
        return result

    async def transact(
        self, run_id: str, cause: str | None, fn: Callable[[Transition], T], *, flush: bool = True
    ) -> T:
        """Apply `fn` to the run at once; with `flush`, return when it is durable."""
        warm = self._warm.get(run_id)
        if warm is None or self.facts:
            warm = await self._loaded(run_id)
        result = self._apply(warm, cause, fn)
        if flush:
            await self._land(warm, warm.state.seq)
        else:
            self._buffer(warm)
        return result

    async def record(self, run_id: str, fact: Callable[[Transition], T]) -> T:
        """Apply what the outside answered. Only the end of the process takes it back.

        Where what carries it cannot be written, it is applied again once the run is loaded.
        """
        warm = self._warm.get(run_id)
        if warm is None or self.facts:
            try:
                warm = await self._loaded(run_id)
            except RunNotFound:
                raise
            except BaseException as error:
                self.facts.keep(run_id, [fact])
                if isinstance(error, RunElsewhere):
                    await self.hand_over(run_id)
                raise
        result = self._apply(warm, None, fact)
        warm.facts.append(fact)
        self._buffer(warm)
        return result

    def _buffer(self, warm: Warm) -> None:
        """Let what the run emitted be flushed a little later."""
        run_id = warm.state.run_id
        waits = self._buffered.get(run_id)
        if (waits is not None and waits[0] is warm) or not warm.owes:
            return
        loop = asyncio.get_running_loop()
        self._buffered[run_id] = (warm, loop.time() + FLUSH_AFTER_SECONDS)
        if self._sweep is None:
            self._sweep = loop.call_later(FLUSH_AFTER_SECONDS, self._flush_all)

    def _apply(self, warm: Warm, cause: str | None, fn: Callable[[Transition], T]) -> T:
        tx = Transition(warm.state, self.clock.now(), self.ledger, self.breakers, cause)
        try:
            result = fn(tx)
        except BaseException:
            if tx.emitted:
                self._undo(warm, tx.emitted)
            raise
        warm.pending += tx.emitted
        if tx.took_over:
            self.strays.discard(warm.state.run_id)
        if tx.signals or tx.told:
            warm.signals += tx.signals
            warm.told += tx.told
        if warm.state.busy:
            self._moving.add(warm.state.run_id)
        else:
            self._moving.discard(warm.state.run_id)
        return result

    def _undo(self, warm: Warm, emitted: list[Event]) -> None:
        """A closure failed half-way: forget what it did. The next use loads the run anew.

        What waited in the buffer goes with it: the state that its rows would be read from is no
        longer that of the log. Whoever waits for it to be durable is told that it is not.
        """
        run_id = warm.state.run_id
        waited = warm.owes
        take_back(self.ledger, run_id, emitted)
        self.forget(run_id)
        if not waited:
            return
        if warm.flushing is None:
            self.on_lost(run_id)
        else:
            warm.flushing.add_done_callback(lambda _task: self.on_lost(run_id))

    def _flush_all(self) -> None:
        """Flush what has been in a buffer for long enough.

        What came later is left to the next sweep: the intent after it will flush it too.
        """
        self._sweep = None
        loop = asyncio.get_running_loop()
        due = loop.time() + TIMER_SECONDS
        for run_id, (warm, at) in list(self._buffered.items()):
            if self._warm.get(run_id) is not warm or not warm.owes:
                del self._buffered[run_id]
            elif at <= due:
                del self._buffered[run_id]
                asyncio.ensure_future(self.flush(run_id)).add_done_callback(swallow)
        if self._buffered:
            soonest = min(at for _warm, at in self._buffered.values())
            self._sweep = loop.call_at(soonest, self._flush_all)

    async def flush(self, run_id: str) -> None:
        """Return once all that was emitted so far is durable. Raises `StoreError`."""
        if run_id in self._warm:
            await self.landing(run_id)()

    def landing(self, run_id: str) -> Callable[[], Coroutine[object, object, None]]:
        """Return what waits until all that was emitted until now of a run in memory is durable."""
        warm = self._warm[run_id]
        return partial(self._land, warm, warm.state.seq)

    async def _land(self, warm: Warm, wanted: int) -> None:
        run_id = warm.state.run_id
        while warm.flushing is not None:
            covered = wanted <= warm.taken and not (warm.signals or warm.told)
            await asyncio.shield(warm.flushing)
            if covered:
                return
        if warm.dropped or not ((owes := warm.owes) or wanted <= warm.landed):
            raise StoreError(f"what was to be written of run {run_id} is lost")
        if not owes:
            return
        batch = warm.taken_out()
        self._buffered.pop(run_id, None)
        try:
            self._prepare(batch)
        except Exception:  # whatever it was, memory must not stay ahead of the log
            self._lose(batch, warm, known=False)
            raise
        if self._flushed_at_once(batch, warm):
            if time.perf_counter() - self._yielded > YIELD_SECONDS:
                await asyncio.sleep(0)  # a lone run never suspends: let others have their say
                self._yielded = time.perf_counter()
            return
        self.committing += 1
        # a task of its own: a caller that is cancelled must not tear the commit apart
        warm.flushing = asyncio.ensure_future(self._flush_now(batch, warm))
        warm.flushing.add_done_callback(swallow)
        await asyncio.shield(warm.flushing)

    async def land(self, run_id: str) -> None:
        """Return once what other runs have freed of shared budgets is durable, or taken back."""
        for other in [other for other in self.ledger.freeing if other != run_id]:
            with suppress(StoreError):
                await self.flush(other)
        await asyncio.sleep(0)

    def _flushed_at_once(self, batch: Batch, warm: Warm) -> bool:
        """Commit on the spot where one node of one run is all that moves in this process.

        Then nobody shares the commit or is held up by it, and a task costs more than the write.
        """
        lone = warm.state.busy == 1 and self._moving == {batch.run_id}
        if not lone or self.committing or batch.start is not None:
            return False
        try:
            if not self._persist_at_once(batch):
                return False
        except Exception:  # whatever refused the commit, memory must not stay ahead of the log
            self._lose(batch, warm, known=False)
            raise
        warm.landed = batch.seq
        self._announce(batch)
        return True

    async def _flush_now(self, batch: Batch, warm: Warm) -> None:
        try:
            await self._persist(batch)
        except Exception as error:  # as above, whatever it was
            if self._warm.get(batch.run_id) is warm:
                self._lose(batch, warm, known=isinstance(error, RunExists))
            else:
                self._doubt(batch, known=isinstance(error, RunExists))
                if not warm.dropped and not isinstance(error, RunExists):
                    self.on_lost(batch.run_id)
            raise
        finally:
            warm.flushing = None
            self._leaving.pop(batch.run_id, None)
            self.committing -= 1
        warm.landed = batch.seq
        self._announce(batch)

    def _announce(self, batch: Batch) -> None:
        """Tell whoever delivers signals and whoever shows runs of what is durable now."""
        room = self.ledger.landed(batch.run_id, batch.events)
        if room and self.on_room is not None:
            self.on_room(room)
        if batch.signals and self.on_signals is not None:
            self.on_signals()
        self.on_told(batch.told)
        self.on_moved(batch.state)
        if self.feed is not None and batch.events:
            self.feed.committed(batch.run_id, batch.events[-1].seq)

    def _lose(self, batch: Batch, warm: Warm, *, known: bool) -> None:
        """A commit failed, or its answer was lost: drop the run, so that it is loaded anew."""
        warm.flushing = None
        self._drop_buffer(warm)
        self._doubt(batch, known=known)
        self.forget(batch.run_id)
        if not known:
            self.on_lost(batch.run_id)

    def _doubt(self, batch: Batch, *, known: bool) -> None:
        """Keep the facts of a batch that is not durable, where that is `known`, or may not be."""
        self.facts.keep(batch.run_id, batch.facts)
        if known:
            take_back(self.ledger, batch.run_id, batch.events)
        else:
            self.doubted.add(batch.run_id, batch.events)

    def _drop_buffer(self, warm: Warm) -> None:
        """Take back what no flush has taken yet, money included."""
        take_back(self.ledger, warm.state.run_id, warm.pending)
        self.facts.keep(warm.state.run_id, warm.facts)
        warm.facts = []
        warm.dropped = warm.dropped or warm.owes
        warm.pending, warm.signals, warm.told = [], [], []

    async def _loaded(self, run_id: str) -> Warm:
        """Return the run, loaded if need be, with the facts that a failed commit took along."""
        while (warm := self._warm.get(run_id)) is None:  # it may be dropped while one is woken
            await self._load(run_id)
        for fact in self.facts.pop(run_id, ()):
            self._apply(warm, None, fact)
            warm.facts.append(fact)
            self._buffer(warm)
        return warm

    async def _load(self, run_id: str) -> Warm:
        loading = self._loading.get(run_id)
        if loading is not None:
            return await asyncio.shield(loading)
        future: asyncio.Future[Warm] = asyncio.get_running_loop().create_future()
        self._loading[run_id] = future
        try:
            if leaving := self._leaving.get(run_id):
                await asyncio.wait([leaving])  # what is on its way belongs to the log to be read
            warm = self._warm.setdefault(run_id, await self._read_back(run_id))
            future.set_result(warm)
            return warm
        except BaseException as error:
            future.set_exception(error if isinstance(error, Exception) else StoreError("stopped"))
            future.exception()
            raise
        finally:
            del self._loading[run_id]

    async def _read_back(self, run_id: str) -> Warm:
        """Return the run as its log has it. One at a time for each run: who else wants it waits."""
        state = await self._fold(run_id, None)
        self.doubted.resolve(run_id, state.seq)
        return Warm(state, landed=state.seq)

    async def warm(self, run_id: str) -> RunState:
        """Return the warm state, loading it first. Raises `RunNotFound`."""
        return (await self._loaded(run_id)).state

    async def reset_breaker(self, breaker_id: str) -> Breaker | None:
        """Close a circuit breaker by an operator's word, durably; None for an unknown one."""
        return self.breakers.reset(breaker_id)

    def forget(self, run_id: str) -> None:
        """Drop the warm state; what was not flushed is lost, as in a crash.

        What a flush under way has taken stays as it is until that lands or fails.
        """
        if (warm := self._warm.pop(run_id, None)) is not None:
            self._drop_buffer(warm)
        if warm is not None and warm.flushing is not None:
            self._leaving[run_id] = warm.flushing
        else:
            self.ledger.lapse(run_id)
        self._moving.discard(run_id)
        self.strays.discard(run_id)
        self._buffered.pop(run_id, None)

    def release(self, run_id: str) -> None:
        """Drop the warm state of a run that rests, if nothing of it is still to be flushed."""
        warm = self._warm.get(run_id)
        if warm is not None and warm.is_written:
            self.forget(run_id)
