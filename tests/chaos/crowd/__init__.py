"""Those who use the product while it is broken: who starts runs, who decides, who watches."""

from __future__ import annotations

import threading
from collections.abc import Callable
from random import Random
from typing import Final

from tests.chaos.crowd.deciding import Owner, Reviewer
from tests.chaos.crowd.following import Bookkeeper, Watcher
from tests.chaos.crowd.runs import Runs, patient
from tests.chaos.crowd.starting import Starter
from tests.chaos.doors.callers import CALLERS
from tests.chaos.facts import Journal
from tests.chaos.house import REVIEWERS, House

WATCHERS: Final = 2
JOIN_S: Final = 30


class Crowd:
    """All of them at once, each in a thread; what they are answered goes to a journal."""

    def __init__(self, house: House, journal: Journal, seed: int, *, most: int) -> None:
        self.runs = Runs(most)
        self.over = threading.Event()
        self._watchers = [Watcher(house, self.runs, journal) for _ in range(WATCHERS)]
        self._callers = [kind(house.doorway, self.runs, journal, seed) for kind in CALLERS]
        rounds: list[Callable[[Random], bool]] = [
            Starter(house, self.runs, journal, seed).round,
            Owner(house, journal).round,
            Bookkeeper(house, self.runs, journal).round,
            *(
                Reviewer(*who, journal).round
                for who in zip(REVIEWERS, house.reviewers, strict=True)
            ),
            *(watcher.round for watcher in self._watchers),
            *(caller.round for caller in self._callers),
        ]
        self._threads = [
            threading.Thread(target=patient, args=(one, Random(f"{seed}/{n}"), self.over))
            for n, one in enumerate(rounds)
        ]

    def begin(self) -> None:
        """Let them come."""
        for thread in self._threads:
            thread.start()

    def is_quiet(self) -> bool:
        """Whether every run is over, and everybody who watched one has seen its end."""
        idle = all(one.idle for one in (*self._watchers, *self._callers))
        return not self.runs.under_way() and idle

    def leave(self) -> None:
        """Let them go."""
        self.runs.may_start = False
        self.over.set()
        for thread in self._threads:
            thread.join(JOIN_S)
