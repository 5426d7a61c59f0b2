"""A source that cannot be used as it is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.integrations.tools.protocol import Tool
from engine.integrations.tools.sources import not_retryable


@dataclass(frozen=True, slots=True)
class BrokenSource:
    """A source that is named wrongly: it has no tools, and says so whoever asks."""

    name: str
    problem: str
    vetted: bool = False

    async def find(self, name: str) -> Tool | None:
        """Raise what is wrong."""
        raise not_retryable(self.problem)

    async def tools(self) -> Sequence[Tool]:
        """Raise what is wrong."""
        raise not_retryable(self.problem)
