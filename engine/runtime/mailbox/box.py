"""The mailbox of all runs of a process: a bell makes it quick, a scan finds what the bell missed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine.core.errors import RunElsewhere, RunUnreadable, StoreError
from engine.runtime.mailbox.turns import Turns
from engine.runtime.stores.requests import Told, Wish, outcome

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
    from engine.runtime.host import RunControl


class Mailbox:
    """Takes wishes, and tells askers what became of them. Lives on the engine's loop."""

    def __init__(self, runner: RunControl) -> None:
        self._runner = runner
        self._turns = Turns(runner)
        self._askers: dict[int, list[asyncio.Future[Told]]] = {}

    async def ask(self, run_id: str, wish: Wish) -> dict[str, Any]:
        """Make a wish durable, let it have its effect, and return what was granted.

        Raises `RequestRefused`, `RunNotFound`, and `StoreError`: then it waits for another look.
        """
        number = await self._runner.store.requests.ask(run_id, wish)
        with self._asking(number) as told:
            await self.look(run_id)
            return outcome(await self._answer_to(number, told))

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
        """Apply what waits of one run. Raises `StoreError`."""
        await self._turns.look(run_id)

    async def before(self, run_id: str, fn: Callable[[Transition], object]) -> None:
        """Apply what waits of one run and then `fn`, in one transition. Raises `StoreError`."""
        await self._turns.before(run_id, fn)

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
            if told.get("granted", {}).get("kind") == "budget":
                self._runner.in_background(self._recheck())

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

    async def _answer_to(self, number: int, told: asyncio.Future[Told]) -> Told:
        if told.done():
            return told.result()
        return await self._runner.store.requests.told(number) or await told

    async def _recheck(self) -> None:
        await self._runner.recheck_budgets()
