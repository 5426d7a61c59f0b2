"""Why a hold does not fit a budget."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from engine.core.budgets.money import usd_text, usd_text_or_none
from engine.core.budgets.rows import BudgetRow
from engine.core.errors import BudgetStop

BREACH_CODES = {
    "node": "NodeBudgetExceeded",
    "run": "RunBudgetExceeded",
    "trigger": "TriggerBudgetExceeded",
    "graph": "GraphBudgetExceeded",
    "workspace": "WorkspaceBudgetExceeded",
}
WHOSE = {
    "node": "the step's",
    "run": "the run's",
    "trigger": "the trigger's",
    "graph": "the workflow's",
    "workspace": "the workspace's",
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a reservation was not made: the first level, from the inside out, that does not fit."""

    row: BudgetRow
    tokens: int
    usd: Decimal
    passing: bool = False
    """Whether it fits as soon as settlements of other runs are durable."""

    @property
    def code(self) -> str:
        return BREACH_CODES[self.row.level]

    @property
    def by_calls_under_way(self) -> bool:
        """Whether it is only what other calls hold that leaves no room: they cost less, mostly."""
        row = self.row
        tokens, usd = row.spent_tokens + self.tokens, row.spent_usd + self.usd
        return (row.limit_tokens is None or tokens <= row.limit_tokens) and (
            row.limit_usd is None or usd <= row.limit_usd
        )

    def message(self) -> str:
        """Return the sentence people read: limit, used, asked."""
        return breach_message(self.row, self.tokens, self.usd)

    def stop(self) -> BudgetStop:
        """Return the error with which a call ends that nobody makes room for."""
        return BudgetStop(self.code, self.message(), detail=self.detail())

    def detail(self) -> dict[str, Any]:
        return {
            "level": self.row.level,
            "budget": self.row.id,
            "ends_at": self.row.ends_at,
            "limit_tokens": self.row.limit_tokens,
            "limit_usd": usd_text_or_none(self.row.limit_usd),
            "spent_tokens": self.row.spent_tokens,
            "spent_usd": usd_text(self.row.spent_usd),
            "held_tokens": self.row.held_tokens,
            "held_usd": usd_text(self.row.held_usd),
            "asked_tokens": self.tokens,
            "asked_usd": usd_text(self.usd),
        }


def breach_message(row: BudgetRow, tokens: int, usd: Decimal) -> str:
    """Return what a budget error says: which cap, how much is used and held, what was asked."""
    parts = []
    if row.limit_tokens is not None:
        used = f"{row.spent_tokens:,} of {row.limit_tokens:,} tokens used"
        parts.append(_part(used, _tokens(row.held_tokens), _tokens(tokens)))
    if row.limit_usd is not None:
        used = f"{_dollars(row.spent_usd) or '$0'} of {_dollars(row.limit_usd) or '$0'} used"
        parts.append(_part(used, _dollars(row.held_usd), _dollars(usd)))
    return f"{WHOSE[row.level]} budget does not allow it: {'; '.join(parts)}"


def _part(used: str, held: str, asked: str) -> str:
    """Return how one limit stands; what is nothing is left out."""
    reserved = f", {held} reserved for calls under way" if held else ""
    return used + reserved + (f", this call may need up to {asked}" if asked else "")


def _tokens(count: int) -> str:
    return f"{count:,}" if count else ""


def _dollars(amount: Decimal) -> str:
    return f"${amount:,f}" if amount else ""
