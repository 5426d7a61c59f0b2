"""Dear work in turns: one piece at a time for each person, so that nobody takes the machine alone.

Threads of Python share one interpreter. Work that is bounded slows everybody by half while it lasts;
thirty such pieces at once, for one person, would let everybody wait for seconds.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from builder.base.errors import TooMany

MAX_WAITING: Final = 6
"""Pieces of one person that wait; each holds a thread that answers requests, of which there are 32."""
PATIENCE_S: Final = 20.0
AGAIN_S: Final = 5
DEAR_BODY: Final = 64 * 1024
"""Bytes of a body from which on reading it takes a turn."""


@dataclass(slots=True)
class _Queue:
    inside: int = 0
    turn: threading.Lock = field(default_factory=threading.Lock)


class PersonalTurns:
    """Lets one piece of work of each person in at a time, and a few wait."""

    def __init__(self, waiting: int = MAX_WAITING, patience_s: float = PATIENCE_S) -> None:
        self._most = waiting + 1
        self._patience_s = patience_s
        self._queues: dict[str, _Queue] = {}
        self._lock = threading.Lock()

    @contextmanager
    def taken(self, who: str) -> Iterator[None]:
        """Hold the turn of `who`; not within another of theirs. Raises `TooMany` `Busy`."""
        with self._lock:
            queue = self._queues.setdefault(who, _Queue())
            if queue.inside >= self._most:
                raise _busy()
            queue.inside += 1
        try:
            if not queue.turn.acquire(timeout=self._patience_s):
                raise _busy()
            try:
                yield
            finally:
                queue.turn.release()
        finally:
            with self._lock:
                queue.inside -= 1
                if not queue.inside:
                    del self._queues[who]


turns: Final = PersonalTurns()
"""The turns of this process."""


def _busy() -> TooMany:
    return TooMany(
        "several large requests of yours are being worked on: try again when they are done",
        code="Busy",
        retry_after_s=AGAIN_S,
    )
