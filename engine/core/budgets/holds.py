"""A reservation over several budgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal


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
