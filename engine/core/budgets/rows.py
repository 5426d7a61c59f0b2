"""Budgets: what a limit says, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from engine.core.budgets.money import usd_text_or_none
from engine.core.budgets.refs import SHARED, BudgetRef

ZERO = Decimal(0)
THRESHOLDS = (50, 75, 90, 100)


@dataclass(slots=True)
class BudgetRow:
    """A budget and where it stands. Money in USD.

    `raised` is what people added to the limit of a shared one for this period, `reached` the last
    threshold that was announced, `freeing` what settlements give back that are not durable yet:
    the room is there for the run that settled, and for others once it is.
    """

    id: str
    level: str
    limit_tokens: int | None
    limit_usd: Decimal | None
    spent_tokens: int = 0
    spent_usd: Decimal = ZERO
    held_tokens: int = 0
    held_usd: Decimal = ZERO
    raised_tokens: int = 0
    raised_usd: Decimal = ZERO
    reached: int = 0
    freeing_tokens: int = 0
    freeing_usd: Decimal = ZERO
    ends_at: int | None = None

    def limit_as(self, ref: BudgetRef) -> None:
        """Follow the limit that holds now; what people added for this period stays."""
        tokens, usd = ref.limit_tokens, ref.limit_usd
        self.limit_tokens = None if tokens is None else tokens + self.raised_tokens
        self.limit_usd = None if usd is None else usd + self.raised_usd
        self.ends_at = ref.ends_at

    @property
    def over(self) -> bool:
        """Whether spending alone is above a cap."""
        return (self.limit_tokens is not None and self.spent_tokens > self.limit_tokens) or (
            self.limit_usd is not None and self.spent_usd > self.limit_usd
        )

    def percent(self) -> float:
        """Return spent of limit in percent, the higher of both sides; 0 without a cap."""
        shares = [0.0]
        if self.limit_tokens:
            shares.append(100 * self.spent_tokens / self.limit_tokens)
        if self.limit_usd:
            shares.append(float(100 * self.spent_usd / self.limit_usd))
        return max(shares)


def limit_moved(row: BudgetRow, request: Mapping[str, Any]) -> bool:
    """Return whether a shared budget's limit is no longer the one that a question shows."""
    usd = usd_text_or_none(row.limit_usd)
    shown = (request.get("limit_usd"), request.get("limit_tokens"))
    return row.level in SHARED and not _same((usd, row.limit_tokens), shown)


def _same(one: tuple[str | None, int | None], other: tuple[str | None, int | None]) -> bool:
    def plain(limit: tuple[str | None, int | None]) -> tuple[Decimal | None, int | None]:
        return None if limit[0] is None else Decimal(limit[0]), limit[1]

    return plain(one) == plain(other)
