"""Budgets, and holds on them: what a limit says, where it stands, why a hold does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from engine.core.budgets.money import usd_text, usd_text_or_none
from engine.core.errors import BudgetStop

ZERO = Decimal(0)
THRESHOLDS = (50, 75, 90, 100)
LEVELS = {"node": 0, "run": 1, "graph": 2, "workspace": 3}
"""Order in which levels are reserved and named when several refuse."""

SHARED: Final = frozenset({"graph", "workspace"})
"""Levels whose budgets runs share; their limits can change at any time."""

BREACH_CODES = {
    "node": "NodeBudgetExceeded",
    "run": "RunBudgetExceeded",
    "graph": "GraphBudgetExceeded",
    "workspace": "WorkspaceBudgetExceeded",
}


@dataclass(frozen=True, slots=True)
class BudgetRef:
    """A budget a call is held on. None is no cap on that side.

    `ends_at` (ms) is when the period of a shared one is over.
    """

    id: str
    level: str
    limit_tokens: int | None = None
    limit_usd: Decimal | None = None
    ends_at: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "level": self.level,
            "limit_tokens": self.limit_tokens,
            "limit_usd": usd_text_or_none(self.limit_usd),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BudgetRef:
        """Return the reference that `to_json` wrote."""
        usd = data.get("limit_usd")
        return cls(
            data["id"],
            data["level"],
            data.get("limit_tokens"),
            None if usd is None else Decimal(usd),
        )


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


@dataclass(slots=True)
class Hold:
    """One reservation over several budgets. `state`: held, settled, presumed, released.

    `most` says, where an answer comes in pieces, what the call can have cost by now: tokens and USD.
    It is known to the process that makes the call only.
    """

    id: str
    run_id: str
    key: str
    budgets: tuple[str, ...]
    tokens: int
    usd: Decimal
    state: str = "held"
    most: Callable[[], tuple[int, Decimal] | None] | None = field(
        default=None, compare=False, repr=False
    )


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


def in_order(refs: Iterable[BudgetRef]) -> list[BudgetRef]:
    """Return budgets in the one order in which they are held: by level, then id."""
    return sorted(refs, key=lambda ref: (LEVELS[ref.level], ref.id))


def breach_message(row: BudgetRow, tokens: int, usd: Decimal) -> str:
    """Return what a budget error says: which cap, how much is used and held, what was asked."""
    parts = []
    if row.limit_tokens is not None:
        parts.append(
            f"{row.spent_tokens} of {row.limit_tokens} tokens used, {row.held_tokens} held, "
            f"{tokens} asked"
        )
    if row.limit_usd is not None:
        parts.append(
            f"${row.spent_usd} of ${row.limit_usd} used, ${row.held_usd} held, ${usd} asked"
        )
    return f"the {row.level} budget does not allow it: {'; '.join(parts)}"


def limit_moved(row: BudgetRow, request: Mapping[str, Any]) -> bool:
    """Return whether a shared budget's limit is no longer the one that a question shows."""
    usd = usd_text_or_none(row.limit_usd)
    shown = (request.get("limit_usd"), request.get("limit_tokens"))
    return row.level in SHARED and not _same((usd, row.limit_tokens), shown)


def _same(one: tuple[str | None, int | None], other: tuple[str | None, int | None]) -> bool:
    def plain(limit: tuple[str | None, int | None]) -> tuple[Decimal | None, int | None]:
        return None if limit[0] is None else Decimal(limit[0]), limit[1]

    return plain(one) == plain(other)
