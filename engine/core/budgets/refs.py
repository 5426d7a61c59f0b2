"""The budgets that a call is held on, by level."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from engine.core.budgets.money import usd_text_or_none

LEVELS = {"node": 0, "run": 1, "trigger": 2, "graph": 3, "workspace": 4}
"""Order in which levels are reserved and named when several refuse."""

SHARED: Final = frozenset({"trigger", "graph", "workspace"})
"""Levels whose budgets runs share; their limits can change at any time."""


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


def in_order(refs: Iterable[BudgetRef]) -> list[BudgetRef]:
    """Return budgets in the one order in which they are held: by level, then id."""
    return sorted(refs, key=lambda ref: (LEVELS[ref.level], ref.id))
