"""Everybody runs the same workload, warm, in turns; what they took is kept as medians with spread."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import Final

Run = Callable[[], float]
"""Runs the workload once and returns the seconds of wall time that count."""
Entry = Callable[[], AbstractContextManager[Run]]
"""Prepares a contestant: compiles, connects, and closes everything after the contest."""

US: Final = "Graphwright"
FLOOR: Final = "floor"


@dataclass(slots=True)
class Samples:
    """Wall and CPU seconds of each measured run."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def median(self) -> float:
        """The median wall time in seconds."""
        return median(self.wall)

    def spread(self) -> tuple[float, float]:
        """The quickest and the slowest run in seconds."""
        return min(self.wall), max(self.wall)

    def median_cpu(self) -> float:
        """The median CPU time of the whole process in seconds."""
        return median(self.cpu)


@dataclass(slots=True)
class Contest:
    """One workload: what a run is divided by to be a figure in `unit`, and what each one took."""

    name: str
    unit: str
    parts: int
    scale: float
    took: dict[str, Samples] = field(default_factory=dict)
    notes: dict[str, float] = field(default_factory=dict)

    def figure(self, who: str) -> float | None:
        """Return the median of a contestant in `unit`, None for one that did not take part."""
        samples = self.took.get(who)
        return None if samples is None else samples.median() / self.parts * self.scale

    def cpu(self, who: str) -> float | None:
        """Return the median CPU of a contestant in `unit`."""
        samples = self.took.get(who)
        return None if samples is None else samples.median_cpu() / self.parts * self.scale

    def spread(self, who: str) -> tuple[float, float] | None:
        """Return a contestant's quickest and slowest figure in `unit`."""
        samples = self.took.get(who)
        if samples is None:
            return None
        low, high = samples.spread()
        return low / self.parts * self.scale, high / self.parts * self.scale

    def times(self, who: str) -> float | None:
        """Return how many times longer than we `who` took; below 1 it was quicker."""
        theirs, ours = self.figure(who), self.figure(US)
        return None if theirs is None or ours is None else theirs / ours


def hold(contest: Contest, entries: Mapping[str, Entry], *, rounds: int, warm: int = 1) -> Contest:
    """Run every entry `warm` times unmeasured, then `rounds` times in turns, and fill the contest.

    The order changes with each round, so that nobody always runs after the same neighbour. What an
    earlier run left behind is collected before the clock starts.
    """
    with ExitStack() as stack:
        runs = {name: stack.enter_context(entry()) for name, entry in entries.items()}
        for _ in range(warm):
            for run in runs.values():
                run()
        names = list(runs)
        for number in range(rounds):
            turn = number % len(names)
            for name in names[turn:] + names[:turn]:
                _measure(contest.took.setdefault(name, Samples()), runs[name])
    return contest


def _measure(samples: Samples, run: Run) -> None:
    gc.collect()
    burnt = time.process_time()
    wall = run()
    samples.cpu.append(time.process_time() - burnt)
    samples.wall.append(wall)
