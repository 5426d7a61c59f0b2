"""Questions about budgets, looked at again when limit or room has changed: what fits goes on."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from engine.core.errors import RunNotFound, StoreError
from engine.runtime.rechecks.budget_recheck import BudgetRecheck

if TYPE_CHECKING:
    from engine.runtime.host import RunControl


LOOK_SECONDS = 0.05
"""How soon questions are looked at again once room came free: calls that end together share it."""


class BudgetRechecks:
    """Lets runs look again that ask for more of a budget, when there may be room for them."""

    def __init__(self, runner: RunControl) -> None:
        self._runner = runner
        self._asked: set[str] | None = None
        """Budgets that somebody asks about; None while nobody has looked since the start."""
        self._new: dict[str, None] = {}
        """Runs that asked since the last look: the store may not list their questions yet."""
        self._due = False

    def ask(self, run_id: str, budget: str) -> None:
        """Note that a run is about to ask about a budget."""
        self._new[run_id] = None
        if self._asked is not None:
            self._asked.add(budget)

    def room(self, budgets: set[str]) -> None:
        """Look again soon if somebody asks about one of these, of which room came free."""
        idle = self._asked is not None and self._asked.isdisjoint(budgets)
        if idle or self._due or self._runner.closed:
            return
        self._due = True
        self._runner.in_background(self._soon())

    async def _soon(self) -> None:
        await self._runner.clock.sleep(LOOK_SECONDS)
        self._due = False
        await self.look()

    async def look(self) -> int:
        """Let every run look again that asks for more of a budget; return how many go on.

        What fits now goes on, as many as fit together; what still does not asks anew where the
        limit has changed, and goes on waiting where it has not.
        """
        look = BudgetRecheck()
        before, self._asked = self._asked or set(), set()
        new, self._new = self._new, {}
        runner = self._runner
        for run_id in dict.fromkeys([*await runner.store.asking_for_budget(), *new]):
            with suppress(RunNotFound):
                try:
                    await runner.step(run_id, None, look, flush=True)
                except StoreError:  # a run that is lost now asks again by itself
                    self._asked |= before
        self._asked |= look.waiting
        return len(look.woken)
