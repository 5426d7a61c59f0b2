"""How often each promise was broken, and the line that says so."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

ZEROS: Final = (
    "lost",
    "stuck",
    "events_missing",
    "keyed_repeated",
    "unsafe_repeated",
    "decisions_twice",
    "unapproved",
    "budget_under",
    "deliveries_lost",
    "started_twice",
    "notices_lost",
    "notices_doubled",
)
"""What must not happen, by the names of the line."""


@dataclass(slots=True)
class Verdict:
    """How often each promise was broken, and where to look."""

    runs: int = 0
    broken: Counter[str] = field(default_factory=Counter)
    where: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether every zero is one."""
        return not any(self.broken[zero] for zero in ZEROS)

    def line(self, *, kills: int, seed: int) -> str:
        """Return the last line of a run of the kit."""
        zeros = {zero: self.broken[zero] for zero in ZEROS}
        return json.dumps({"runs": self.runs, "kills": kills, **zeros, "seed": seed})
