"""One seeded mistake."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Promise(StrEnum):
    """What the README promises, and what these promises stand on."""

    RUNS = "1. No run is lost"
    ONCE = "2. A result is recorded once"
    BUDGET = "3. A budget holds"
    STREAM = "4. The stream is exact"
    APPROVAL = "5. An approval counts once"
    PROOF = "6. The graph can be proven before it runs"
    BORDER = "7. Nobody reaches what is not theirs"
    EDITOR = "8. What was drawn is kept"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one text of one file, what it breaks, and the tests that must fail by it.

    `old` stands in `file` exactly once. `tests` are node ids of pytest, or files of vitest.
    """

    name: str
    promise: Promise
    file: str
    old: str
    new: str
    breaks: str
    tests: tuple[str, ...]

    def applied(self, source: str) -> str:
        """Return the source with the mistake made. Raises `ValueError` where it has no one place."""
        found = source.count(self.old)
        if found != 1:
            raise ValueError(f"{self.name}: {self.old!r} stands {found} times in {self.file}")
        return source.replace(self.old, self.new)
