"""Applying what was asked of a run: one request after the other, in the order asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from engine.core.decide.scheduler import take_over
from engine.core.errors import Fenced, RunElsewhere, RunNotFound, RunUnreadable, StoreError
from engine.runtime.mailbox.verbs import apply, verb_of
from engine.runtime.stores.requests import Request, failed

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
    from engine.runtime.host import RunControl

NOT_ITS_FAULT: Final = (Fenced, RunElsewhere, RunNotFound, RunUnreadable)
MAX_TRIES: Final = 5
"""How often a request may cost a commit before it is answered as failed: others wait behind it."""


class Turns:
    """Applies requests; of one run one at a time, so that none is read while it is applied."""

    def __init__(self, runner: RunControl) -> None:
        self._runner = runner
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tries: Counter[int] = Counter()

    async def look(self, run_id: str) -> None:
        """Apply what waits. Raises `StoreError`; what was not applied then waits for another look.

        A run that nobody executes is taken over in the same transition.
        """
        runner = self._runner
        async with self._lock(run_id):
            waiting = await runner.store.requests.open(run_id)
            if waiting and runner.store.peek(run_id) is None and not runner.executors_of(run_id):
                await self._all_before(run_id, waiting, lambda tx: take_over(tx, runner.env))
                waiting = await runner.store.requests.open(run_id)
            for request in waiting:
                await self._apply(request)

    async def before(self, run_id: str, fn: Callable[[Transition], object]) -> None:
        """Apply what waits and then `fn`, in one transition: nothing comes between."""
        async with self._lock(run_id):
            waiting = await self._runner.store.requests.open(run_id)
            await self._all_before(run_id, waiting, fn)

    def _lock(self, run_id: str) -> asyncio.Lock:
        return self._locks.setdefault(run_id, asyncio.Lock())

    async def _apply(self, request: Request) -> None:
        run_id, number = request.run_id, request.number
        if not self._is_stuck(request):
            await self._all_before(run_id, [request], _nothing)
        if self._is_stuck(request):
            told = failed(StoreError("what follows from it cannot be written"))
            await self._runner.carry_out(run_id, lambda tx: tx.tell(number, told))
            del self._tries[number]

    def _is_stuck(self, request: Request) -> bool:
        return self._tries[request.number] >= MAX_TRIES

    async def _all_before(
        self, run_id: str, waiting: Sequence[Request], fn: Callable[[Transition], object]
    ) -> None:
        """Apply requests and then `fn`. One over which the engine stumbles is left out from then on."""
        ready = [one for one in waiting if not self._is_stuck(one)]
        judged = [(one, await verb_of(self._runner, one)) for one in ready]
        judging: list[int] = []

        def all_of_it(tx: Transition) -> object:
            for request, verb in judged:
                judging[:] = [request.number]
                apply(tx, request, verb)
            judging.clear()
            return fn(tx)

        try:
            await self._runner.carry_out(run_id, all_of_it)
        except StoreError as error:
            if not error.retryable and not isinstance(error, NOT_ITS_FAULT):
                self._tries.update(one.number for one in ready)
            raise
        except Exception as error:
            if not judging:
                raise
            self._runner.services.report(error)
            self._tries[judging[0]] = MAX_TRIES
            await self._all_before(run_id, waiting, fn)
        else:
            for one in ready:
                del self._tries[one.number]


def _nothing(_tx: Transition) -> None:
    return None
