"""Who hears of what happens in the house."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from builder.models import HouseEvent

Handler: TypeAlias = Callable[[HouseEvent], object]
Wait: TypeAlias = tuple[str, int]
"""A workspace's id, and minutes."""


def _none() -> Iterable[Wait]:
    return ()


@dataclass(frozen=True, slots=True)
class Consumer:
    """One who hears: its `name` stays for ever, as rows know it by that; 32 characters at most."""

    name: str
    kinds: frozenset[str]
    handler: Handler
    waits: Callable[[], Iterable[Wait]] = _none
    """After how many minutes it wants to hear that an item of a workspace is still open."""
    listening: Callable[[], Iterable[str]] | None = None
    """The workspaces in which anybody wants to hear of anything; absent: all."""
