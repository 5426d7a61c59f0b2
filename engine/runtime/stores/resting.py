"""Which runs have only waited for so long that memory is too good for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.core.state.deadlines import next_wake
from engine.core.state.run_state import RunState

REST_MS: Final = 60_000
"""How long a run stays in memory in which nothing happens: most answers come soon, or late."""


class Resting:
    """Remembers since when runs have been standing where they stand."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[int, int]] = {}

    def long(self, idle: Iterable[RunState], now: int) -> list[str]:
        """Return those of the idle runs that were so, and will be, for a minute (`now` in ms)."""
        known, self._since = self._since, {}
        found = []
        for state in idle:
            seq, since = known.get(state.run_id, (state.seq, now))
            since = since if seq == state.seq else now
            wake = next_wake(state)
            if now - since >= REST_MS and (wake is None or wake - now >= REST_MS):
                found.append(state.run_id)
            else:
                self._since[state.run_id] = (state.seq, since)
        return found
