"""How much one examination may do: counted where work multiplies, so the same on each machine.

One unit is about a microsecond. What is examined once, by its length, is not counted: the limits of
what comes in bound that. What is looked at for each of many is, wherever it is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

MOST: Final = 10_000_000
"""Units of one examination: the largest graphs that people draw take about a tenth."""
COMPILED: Final = 600
"""Units of an expression that is compiled for the first time."""


class TooMuchWork(Exception):
    """An examination would take longer than it may."""


@dataclass(slots=True)
class _Purse:
    units: int
    spare: int


_purse: ContextVar[_Purse | None] = ContextVar("effort", default=None)


@contextmanager
def bounded(units: int = MOST) -> Iterator[None]:
    """Let what the block does charge so much at most; inside of another bound, that one holds."""
    token = _purse.set(_purse.get() or _Purse(units, units // 10))
    try:
        yield
    finally:
        _purse.reset(token)


def charge(units: int) -> None:
    """Count work that is about to be done. Raises `TooMuchWork`; free where nothing bounds it."""
    purse = _purse.get()
    if purse is None:
        return
    purse.units -= units
    if purse.units < 0:
        raise TooMuchWork


def spare(units: int) -> bool:
    """Return whether there is room for work that an examination can do without, and count it."""
    purse = _purse.get()
    if purse is None:
        return True
    purse.spare -= units
    return purse.spare >= 0
