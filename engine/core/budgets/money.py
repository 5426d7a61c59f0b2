"""Money: `Decimal` USD in the engine, whole pico-dollars in rows, decimal text on the wire."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

PICO: Final = Decimal(10) ** 12
"""USD in rows are pico-dollars: integers, exact for any price per token."""

MAX_PICO: Final = 2**63 - 1

SMALLEST: Final = 1 / PICO
"""One pico-dollar in USD: what is finer cannot be kept."""


def pico(usd: Decimal | None) -> int | None:
    """Return USD as pico-dollars, rounded up: money is never under-counted.

    Nine million dollars are the most that a row can hold: a higher limit is kept as that.
    """
    if usd is None:
        return None
    scaled = usd * PICO
    whole = int(scaled)
    return min(whole if scaled == whole else whole + 1, MAX_PICO)


def from_pico(amount: int | None) -> Decimal | None:
    """Return pico-dollars as USD."""
    return None if amount is None else Decimal(amount) / PICO


def usd(pico: int) -> str:
    """Return pico-dollars as decimal text of USD."""
    return usd_text(Decimal(pico) * SMALLEST)


def usd_or_none(pico: int | None) -> str | None:
    """Return `usd(pico)`, None for no limit."""
    return None if pico is None else usd(pico)


def usd_text(amount: Decimal) -> str:
    """Return USD as decimal text, without exponent and without zeros at its end."""
    return format(amount.normalize(), "f")


def usd_text_or_none(amount: Decimal | None) -> str | None:
    """Return `usd_text(amount)`, None for no limit."""
    return None if amount is None else usd_text(amount)
