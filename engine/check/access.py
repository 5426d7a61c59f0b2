"""Which keys exist, which lanes there are, and what a list of keys lets through."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.lanes import ALWAYS, LANES, is_reserved

__all__ = ["ALWAYS", "LANES", "RESERVED", "covers", "is_memory", "is_reserved", "root"]

RESERVED: Final = ALWAYS | LANES


def root(key: str) -> str:
    """Return the memory key or lane of a dotted key."""
    return key.partition(".")[0]


def is_memory(key: str) -> bool:
    """Return whether a read key names one concrete memory key."""
    return key != "*" and not is_reserved(key)


def covers(keys: Iterable[str], path: tuple[str, ...]) -> bool:
    """Return whether read keys let a reference such as `("memory", "notes", "a")` see something."""
    if not path or path[0] in ALWAYS:
        return True
    if path[0] not in ("memory", *LANES):
        return True
    if len(path) == 1 and path[0] in ("memory", "outputs"):
        return path[0] == "memory" or any(root(key) == "outputs" for key in keys)
    if path[0] == "memory":
        wanted = path[1:]
        if wanted[0].startswith("_"):
            return False
        return any(key == "*" or _meet(tuple(key.split(".")), wanted) for key in keys)
    return any(_meet(tuple(key.split(".")), path) for key in keys)


def _meet(key: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Return whether one is a part of the other, so that something of the path is visible."""
    return all(a == b for a, b in zip(key, path, strict=False))
