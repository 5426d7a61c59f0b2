"""What people are told, before it takes the form of a service: lines of plain text, each with a link."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened, in one line, and where it is looked at."""

    text: str
    link: str


@dataclass(frozen=True, slots=True)
class Message:
    """One or more lines that go out together, under a title; `left` more happened, and are not told."""

    title: str
    lines: tuple[Line, ...]
    left: int = 0

    def shown(self, most: int) -> tuple[tuple[Line, ...], int]:
        """Return the first lines, and how many more there are."""
        return self.lines[:most], max(0, len(self.lines) - most) + self.left

    @property
    def is_alone(self) -> bool:
        """Whether there is one line, which needs no title."""
        return len(self.lines) == 1 and not self.left


def more(count: int) -> str:
    """Return the last line of a message that does not hold everything."""
    return f"and {count} more"
