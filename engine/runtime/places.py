"""Runs that wait for a place: whoever's turn it is goes on, soon after a place came free."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from engine.core.decide.begin.places import give_place, has_left_its_place
from engine.core.decide.begin.takeover import take_over
from engine.core.errors import RunElsewhere, RunNotFound, StoreError

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
    from engine.core.state.run_state import RunState
    from engine.runtime.host import RunControl


class Places:
    """Lets runs go on that have been given a place. One look at a time; bells in between make one more."""

    def __init__(self, runner: RunControl) -> None:
        self._runner = runner
        self._looking = False
        self._again = False

    def free(self, state: RunState) -> None:
        """Look soon, where a run rests whose workspace has only so many places."""
        runner = self._runner
        if runner.closed or not (
            state.status == "queued" or has_left_its_place(state, runner.env.limited)
        ):
            return
        if not self._again:
            self._again = True
            runner.in_background(self.look())

    async def look(self) -> None:
        """Give free places to those who wait, and let those of this process go on. Raises `StoreError`."""
        self._again = True
        if self._looking:
            return
        self._looking = True
        try:
            while self._again and not self._runner.closed:
                self._again = False
                for run_id in await self._runner.services.places.admitted():
                    await self._go_on(run_id)
        finally:
            self._looking = False

    async def _go_on(self, run_id: str) -> None:
        """Let one go on; where that cannot be written, the next look finds it again."""
        runner = self._runner

        def admit(tx: Transition) -> object:
            give_place(tx)
            return None if runner.executors_of(run_id) else take_over(tx, runner.env)

        with suppress(RunNotFound, RunElsewhere):
            try:
                await runner.mailbox.before(run_id, admit)
            except StoreError as error:
                runner.services.report(error)
