"""The mailbox of all runs of a process: a bell makes it quick, a scan finds what the bell missed.

What was asked of a run is applied one request after the other, in the order asked.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

from engine.core.decide.begin.takeover import take_over
from engine.core.errors import Fenced, RunElsewhere, RunNotFound, RunUnreadable, StoreError
from engine.runtime.mailbox.verbs import Finding, apply, fail, judged, verb_of
from engine.runtime.stores.requests import Request, Told, outcome

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
    from engine.runtime.host import RunControl

NOT_ITS_FAULT: Final = (Fenced, RunElsewhere, RunNotFound, RunUnreadable)
MAX_TRIES: Final = 5
"""How often a request may cost a commit before it is answered as failed: others wait behind it."""


class Mailbox:
    """Applies requests, and tells askers what became of them. Lives on the engine's loop.

    Requests of one run are applied one look at a time, so that none is read while it is applied.
    """

    def __init__(self, runner: RunControl) -> None:
        self._runner = runner
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tries: Counter[int] = Counter()
        self._askers: dict[int, list[asyncio.Future[Told]]] = {}

    async def apply(self, run_id: str, finding: Finding) -> dict[str, Any]:
        """Let somebody of this process have their way at once, and return what was granted.

        No row is needed: who asks here learns whether it counted. Of a run that nobody executes, what
        was asked before comes first. Raises `RequestRefused`, and `StoreError`: then nothing counted.
        """
        runner, told = self._runner, list[Told]()
        async with self._lock(run_id):
            rests = self._rests(run_id)
            waiting = await runner.store.requests.open(run_id) if rests else ()
            verb = await finding(runner)

            def wanted(tx: Transition) -> object:
                told[:] = [judged(tx, verb)]
                return take_over(tx, runner.env) if rests else None

            await self._apply(run_id, waiting, wanted)
        self._follow_up(told[0])
        return outcome(told[0])

    async def answer_to(self, run_id: str, number: int, within_s: float) -> Told | None:
        """Ring for a request that is durable; return what became of it, None if that takes longer.

        None at once where the runner ends. Raises `RunUnreadable` where nobody here can read the run.
        """
        if self._runner.closed:
            return None
        with self._asking(number) as told:
            # beside: whoever waits no longer must not tear a step apart
            self._runner.in_background(self._rung(run_id, number, told))
            await asyncio.wait([told], timeout=within_s)
            return told.result() if told.done() and not told.cancelled() else None

    async def look(self, run_id: str) -> None:
        """Apply what waits of one run. Raises `StoreError`; what was not applied waits for another look.

        A run that nobody executes is taken over in the same transition.
        """
        runner = self._runner
        async with self._lock(run_id):
            waiting = await runner.store.requests.open(run_id)
            if waiting and self._rests(run_id):
                await self._apply(run_id, waiting, lambda tx: take_over(tx, runner.env))
            else:
                for request in waiting:
                    await self._apply(run_id, [request], _nothing)

    async def before(self, run_id: str, fn: Callable[[Transition], object]) -> None:
        """Apply what waits of one run and then `fn`, in one transition: nothing comes between.

        Raises `StoreError`.
        """
        async with self._lock(run_id):
            waiting = await self._runner.store.requests.open(run_id)
            await self._apply(run_id, waiting, fn)

    async def scan(self) -> None:
        """Apply what the bell missed, of ended runs too."""
        for run_id in await self._runner.store.requests.asked_of():
            try:
                await self.look(run_id)
            except RunElsewhere:
                continue
            except StoreError as error:  # the others must not wait for this one
                self._runner.services.report(error)

    def told(self, answers: Sequence[tuple[int, Told]]) -> None:
        """Wake who waits for requests that were answered, durably."""
        for number, told in answers:
            for future in self._askers.get(number, ()):
                if not future.done():
                    future.set_result(told)
            self._follow_up(told)

    def close(self) -> None:
        """Let nobody wait any longer: what was not answered has its effect at the next start."""
        for future in [future for waiting in self._askers.values() for future in waiting]:
            future.cancel()

    @contextmanager
    def _asking(self, number: int) -> Iterator[asyncio.Future[Told]]:
        future: asyncio.Future[Told] = asyncio.get_running_loop().create_future()
        self._askers.setdefault(number, []).append(future)
        try:
            yield future
        finally:
            self._askers[number].remove(future)
            if not self._askers[number]:
                del self._askers[number]

    async def _rung(self, run_id: str, number: int, told: asyncio.Future[Told]) -> None:
        """Look; what the store refuses is looked at again by the scan, or as the run is taken over."""
        try:
            await self.look(run_id)
            found = None if told.done() else await self._runner.store.requests.told(number)
        except StoreError as error:
            if isinstance(error, RunUnreadable) and not told.done():
                told.set_exception(error)
            raise
        if found is not None and not told.done():
            told.set_result(found)

    def _rests(self, run_id: str) -> bool:
        return self._runner.store.peek(run_id) is None and not self._runner.executors_of(run_id)

    def _follow_up(self, told: Told) -> None:
        if told.get("granted", {}).get("kind") == "budget":
            self._runner.in_background(self._recheck())

    async def _recheck(self) -> None:
        await self._runner.recheck_budgets()

    def _lock(self, run_id: str) -> asyncio.Lock:
        return self._locks.setdefault(run_id, asyncio.Lock())

    async def _apply(
        self, run_id: str, waiting: Sequence[Request], fn: Callable[[Transition], object]
    ) -> None:
        """Apply requests and then `fn`, in one transition.

        One that cost too many commits, or over which the engine stumbles, is answered as failed.
        """
        stuck = {one.number for one in waiting if self._tries[one.number] >= MAX_TRIES}
        verbs = [
            (one, fail if one.number in stuck else await verb_of(self._runner, one))
            for one in waiting
        ]
        judging: list[int] = []

        def all_of_it(tx: Transition) -> object:
            for request, verb in verbs:
                judging[:] = [request.number]
                apply(tx, request, verb)
            judging.clear()
            return fn(tx)

        try:
            await self._runner.carry_out(run_id, all_of_it)
        except StoreError as error:
            if not error.retryable and not isinstance(error, NOT_ITS_FAULT):
                self._tries.update(one.number for one in waiting if one.number not in stuck)
            raise
        except Exception as error:
            if not judging:
                raise
            self._runner.services.report(error)
            self._tries[judging[0]] = MAX_TRIES
            await self._apply(run_id, waiting, fn)
        else:
            for one in waiting:
                del self._tries[one.number]


def _nothing(_tx: Transition) -> None:
    return None
