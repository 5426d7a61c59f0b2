"""Questions about budgets, looked at again when limit or room has changed: what fits goes on."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING

from engine.core.budgets.ledger import fits
from engine.core.budgets.rows import limit_moved
from engine.core.decide.holds import held_on
from engine.core.errors import Cancelled, RunNotFound, StoreError
from engine.core.state.run_state import OpenInterrupt

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
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
        """BudgetRecheck again soon if somebody asks about one of these, of which room came free."""
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


class BudgetRecheck:
    """One look at every question about a budget. What it gives to one is gone for the next."""

    def __init__(self) -> None:
        self.woken: set[str] = set()
        self.waiting: set[str] = set()
        self._given: dict[str, tuple[int, Decimal]] = {}

    def __call__(self, tx: Transition) -> None:
        """Close the run's questions that need not, or must not, stand as they are."""
        for opened in list(tx.state.interrupts.values()):
            if opened.kind != "budget":
                continue
            if self._settled(tx, opened):
                tx.emit(
                    "InterruptResolved",
                    opened.key,
                    {"request_id": opened.request_id, "outcome": "superseded"},
                )
                self.woken.add(tx.state.run_id)
            else:
                self.waiting.add(opened.request["budget"])

    def _settled(self, tx: Transition, opened: OpenInterrupt) -> bool:
        request = opened.request
        try:
            refs = held_on(tx, opened.key)
        except Cancelled:
            return False
        ref = next((ref for ref in refs if ref.id == request["budget"]), None)
        if ref is None:
            return True
        row = tx.ledger.ensure(ref)
        tokens, usd = self._given.get(row.id, (0, Decimal(0)))
        tokens, usd = tokens + request["asked_tokens"], usd + Decimal(request["asked_usd"])
        if fits(row, tokens, usd):
            self._given[row.id] = (tokens, usd)
            return True
        return limit_moved(row, request)
