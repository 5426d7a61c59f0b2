"""Bringing runs back: after a restart, after a failed commit, and by a scan for what was missed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from engine.core.decide.begin.takeover import begin_again
from engine.core.errors import RunElsewhere, RunNotFound, StoreError
from engine.runtime.recovery.stops import Stopped, Stops
from engine.runtime.stores.resting import Resting

if TYPE_CHECKING:
    from engine.core.decide.scheduler import Claim
    from engine.runtime.host import RunControl

RECOVERY_SECONDS = 5.0
"""How often recovery scans look for runs that nobody holds."""

REGAIN_SECONDS = 0.05
MAX_REGAIN_SECONDS = 5.0
"""How soon, and how seldom at most, a run is taken over whose commit failed."""


class Recovery:
    """Takes unfinished runs over. Everything it needs is derived from their logs."""

    def __init__(self, runner: RunControl) -> None:
        self._runner = runner
        self._regaining: set[str] = set()
        self._lost_again: set[str] = set()
        self._resting = Resting()
        self._stops = Stops(runner.clock)

    async def recover(self, *, crashed: bool) -> int:
        """Take over every unfinished run after a restart; return how many there were.

        `crashed` tells whether the former process died or stopped in good order.
        """
        runs = await self._runner.store.movable()
        for run_id in runs:
            await self._try_take_over(run_id, crashed=crashed)
        with suppress(StoreError):
            await self._runner.mailbox.scan()
            await self._runner.deliver_signals()
            await self._runner.recheck_budgets()
            await self._runner.places.look()
        return len(runs)

    async def watch(self, every_s: float = RECOVERY_SECONDS) -> None:
        """Look at unfinished runs that nobody holds, again and again, until the runner is closed.

        A run is dropped from memory when the store refused to write; here it comes back.
        """
        while not self._runner.closed:
            await self._runner.clock.sleep(every_s)
            await self.scan()

    async def scan(self) -> int:
        """Take over every unfinished run that is not in memory; return how many there were.

        With those that are there for another reason than to be executed: somebody had word for them.
        """
        runner = self._runner
        store, strays = runner.store, set(runner.store.strays)
        lost = [r for r in await store.movable() if r in strays or store.peek(r) is None]
        died = set(await store.died()) if lost else set()
        for run_id in lost:
            here = run_id in store.strays if run_id in strays else not runner.executors_of(run_id)
            if here:  # and was not taken over while others were
                await self._try_take_over(run_id, crashed=run_id in died)
        await self.hand_over()
        await runner.mailbox.scan()
        await runner.deliver_signals()
        await runner.places.look()
        await self._let_rest()
        self._stops.forget()
        return len(lost)

    async def hand_over(self) -> None:
        """Leave to others what calls gave that were made here, of runs that are theirs by now."""
        store = self._runner.store
        for run_id in list(store.facts):
            if store.peek(run_id) is None and run_id not in self._regaining:
                await store.hand_over(run_id)

    async def _let_rest(self) -> None:
        """Leave to the disk what has only waited for a while, and what nobody here waits for."""
        runner = self._runner
        long = self._resting.long(runner.store.idle(), runner.clock.now())
        runs = [r for r in long if not runner.is_watched(r) and not runner.executors_of(r)]
        if runs:
            await runner.store.let_rest(runs)

    def stopped(self, stopped: Stopped) -> None:
        """An execution ended and left its activation as it was: a read failed, say. Begin it again.

        A commit that failed has seen to that already. What runs beside it goes on. Each time is told
        and is in the log: what gets nowhere is begun again ever more seldom.
        """
        run_id, claim, error = stopped.run_id, stopped.claim, stopped.__cause__
        assert error is not None
        state = self._runner.store.peek(run_id)
        act = state.activations.get(claim.key) if state is not None else None
        is_left = act is not None and act.epoch == claim.epoch
        silent = RunElsewhere if is_left else StoreError  # who refused a commit has told of it
        if not isinstance(error, silent):
            self._runner.services.report(error)
        if is_left and not self._runner.closed:
            wait_s = self._stops.wait_s(run_id, claim.key)
            self._runner.in_background(self._begin_again(run_id, claim, wait_s))

    async def _begin_again(self, run_id: str, claim: Claim, wait_s: float) -> None:
        runner = self._runner
        await runner.clock.sleep(wait_s)
        while not runner.store.may_send():  # others may have the run by now, and would call as well
            await runner.clock.sleep(MAX_REGAIN_SECONDS)
        if runner.store.peek(run_id) is None:
            return  # it is taken over from its log
        try:
            await runner.step(
                run_id, None, lambda tx: begin_again(tx, runner.env, claim), flush=True
            )
        except Exception as error:  # as it may end the execution itself
            raise Stopped(run_id, claim) from error

    def lost(self, run_id: str) -> None:
        """A commit of the run failed: stop its executors and take it over from its log.

        One that has a call under way stops when that is recorded; who comes after it waits for it.
        """
        current, tear = asyncio.current_task(), self._runner.under_way.tear
        executors = self._runner.executors_of(run_id)
        tasks = [task for task in executors if task is current or tear(task)]
        if run_id in self._regaining:
            self._lost_again.add(run_id)  # one is at it: a second one would double with every try
        elif not self._runner.closed:
            self._regaining.add(run_id)
            self._runner.in_background(self._regain(run_id, tasks))

    async def _regain(self, run_id: str, tasks: list[asyncio.Task[None]]) -> None:
        try:
            if tasks:
                await asyncio.wait(tasks)
            await self._take_over_until_kept(run_id)
        finally:
            self._regaining.discard(run_id)

    async def _take_over_until_kept(self, run_id: str) -> None:
        runner = self._runner
        delay = REGAIN_SECONDS
        while not runner.closed:
            await runner.clock.sleep(delay)
            self._lost_again.discard(run_id)
            try:
                await runner.take_over(run_id)
                await runner.deliver_signals()
            except RunElsewhere:
                await runner.store.hand_over(run_id)
                return
            except RunNotFound:
                return
            except StoreError:
                delay = min(2 * delay, MAX_REGAIN_SECONDS)
                continue
            if run_id not in self._lost_again:
                return

    async def _try_take_over(self, run_id: str, *, crashed: bool = False) -> None:
        try:
            await self._runner.take_over(run_id, crashed=crashed)
        except RunElsewhere:  # somebody was quicker
            return
        except StoreError as error:  # the others must not wait for this one
            self._runner.services.report(error)
