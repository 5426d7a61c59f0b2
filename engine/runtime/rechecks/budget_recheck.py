"""One look at every question about a budget."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from engine.core.budgets.ledger import fits
from engine.core.budgets.rows import limit_moved
from engine.core.decide.holds import held_on
from engine.core.errors import Cancelled
from engine.core.state.run_state import OpenInterrupt

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition


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
