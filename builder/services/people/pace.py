"""How quickly one caller may ask: a bucket of requests that fills again all the time.

Processes that serve people together tell one another what they have let in, so that a caller who goes to all of
them gets no more than at one. What comes at once at several is let in before they know; they take it off later.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from math import ceil
from typing import Any, Final

from django.conf import settings

from builder.base.bells import LET_IN, Frame, Hub
from builder.base.errors import TooMany

BURST_S: Final = 10
"""So many seconds' worth may come at once, as a page that opens or a script that begins does."""
TELL_S: Final = 0.5
"""How often a process tells the others what it has let in."""
MOST_TOLD: Final = 80
"""Callers that are told of in one frame: what is said between processes is short."""
MAX_CALLERS: Final = 10_000
"""Callers that are remembered; a full bucket says no more than none."""


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


@dataclass(frozen=True, slots=True)
class Left:
    """What a caller has left: requests that may come now, of so many a minute, and when all are back."""

    requests: int
    a_minute: int
    full_in_s: int


class Pace:
    """Lets each caller ask `a_minute` times. 0 lets everybody ask always."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_second = a_minute / 60
        self._most = max(1.0, self._a_second * BURST_S)
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: dict[str, _Bucket] = {}
        self._untold: Counter[str] = Counter()
        self._is_alone = True

    def take(self, caller: str) -> Left | None:
        """Count one request, before it is looked at; return what is left, None where nothing is counted.

        Raises `TooMany` `TooManyRequests`.
        """
        if not self._a_second:
            return None
        now = self._clock()
        with self._lock:
            bucket = self._bucket(caller, now)
            if bucket.left >= 1:
                bucket.left -= 1
                if not self._is_alone:
                    self._untold[caller] += 1
                full_in_s = ceil((self._most - bucket.left) / self._a_second)
                return Left(int(bucket.left), round(self._a_second * 60), full_in_s)
            wait = ceil((1 - bucket.left) / self._a_second)
        raise TooMany(
            f"more than {round(self._a_second * 60):,} requests a minute: slow down",
            code="TooManyRequests",
            retry_after_s=wait,
        )

    @contextmanager
    def among_others(self, hub: Hub, tell_s: float = TELL_S) -> Iterator[None]:
        """Count what other processes let in, too, while the block lasts, and tell them of this one."""
        unsubscribe = hub.subscribe(LET_IN, self._hear)
        ended = threading.Event()

        def tell() -> None:
            while not ended.wait(tell_s):
                self._tell(hub)

        thread = threading.Thread(target=tell, name="pace", daemon=True)
        self._is_alone = False
        thread.start()
        try:
            yield
        finally:
            self._is_alone = True
            unsubscribe()
            ended.set()
            thread.join()

    def _tell(self, hub: Hub) -> None:
        with self._lock:
            untold, self._untold = iter(self._untold.items()), Counter()
        while some := dict(islice(untold, MOST_TOLD)):
            hub.abroad(LET_IN, some)

    def _hear(self, told: Frame | None) -> None:
        """Take off what another process let in. Who was let in by several owes it, and waits for longer."""
        now = self._clock()
        with self._lock:
            for caller, count in (told or {}).items():
                self._bucket(caller, now).left -= count

    def _bucket(self, caller: str, now: float) -> _Bucket:
        """Return a caller's bucket as it is now."""
        bucket = self._buckets.get(caller)
        if bucket is None:
            self._make_room(now)
            bucket = self._buckets[caller] = _Bucket(self._most, now)
        bucket.left, bucket.at = self._left(bucket, now), now
        return bucket

    def _left(self, bucket: _Bucket, now: float) -> float:
        return min(self._most, bucket.left + (now - bucket.at) * self._a_second)

    def _make_room(self, now: float) -> None:
        """Forget who has a full bucket again; of those who have not, the one that came first."""
        if len(self._buckets) < MAX_CALLERS:
            return
        kept = {who: one for who, one in self._buckets.items() if self._left(one, now) < self._most}
        if len(kept) == len(self._buckets):
            kept.pop(next(iter(kept)))
        self._buckets = kept


def caller_of(user_id: Any, token_id: Any) -> str:
    """Return the name of a bucket: a token has one of its own, beside its person's."""
    return f"user:{user_id}" if token_id is None else f"token:{token_id}"


PACE: Final = Pace(settings.API_PACE)
"""The pace of callers at this process, with what others tell it of theirs."""
