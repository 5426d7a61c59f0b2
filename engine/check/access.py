"""Which keys exist, which lanes there are, and what a list of keys lets through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.node_types.view import ALWAYS, LANES
from engine.core.state import grants
from engine.core.state.lanes import is_reserved
from engine.core.values.effort import charge

__all__ = ["ALWAYS", "LANES", "RESERVED", "covers", "is_memory", "is_reserved", "root"]

RESERVED: Final = ALWAYS | LANES


def covers(keys: Sequence[str], path: tuple[str, ...]) -> bool:
    """Return whether read keys let a reference see something."""
    charge(len(keys))
    return grants.covers(keys, path)


def root(key: str) -> str:
    """Return the memory key or lane of a dotted key."""
    return key.partition(".")[0]


def is_memory(key: str) -> bool:
    """Return whether a read key names one concrete memory key."""
    return key != "*" and not is_reserved(key)
