"""Hashing of passwords, two at once: it is dear on purpose, and strangers may ask for it.

Whatever hashes goes through here: sign-in, set-up, joining, changes, resets, commands.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from builder.base.errors import TooMany

AT_ONCE: Final = 2
MAX_WAITING: Final = 8
"""Who comes when so many wait is sent away at once: a waiting request holds a thread."""
PATIENCE_S: Final = 8.0
AGAIN_S: Final = 2


class Turns:
    """Lets a few in at a time, a few more wait, and sends everybody else away."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._free = threading.BoundedSemaphore(at_once)
        self._lock = threading.Lock()
        self._room = at_once + waiting

    @contextmanager
    def taken(self, patience_s: float) -> Iterator[None]:
        """Hold one of the turns. Raises `TooMany` `Busy`."""
        with self._lock:
            if self._room == 0:
                raise _busy()
            self._room -= 1
        try:
            if not self._free.acquire(timeout=patience_s):
                raise _busy()
            try:
                yield
            finally:
                self._free.release()
        finally:
            with self._lock:
                self._room += 1


turns: Final = Turns(AT_ONCE, MAX_WAITING)


class FewAtOnce(PBKDF2PasswordHasher):
    """Django's default hasher, under its own name in the database, in turns."""

    def encode(self, password: str, salt: Any, iterations: int | None = None) -> str:
        """Return the hash. Raises `TooMany` `Busy` when too many ask at once."""
        with turns.taken(PATIENCE_S):
            return super().encode(password, salt, iterations)


def _busy() -> TooMany:
    return TooMany(
        "too many people sign in at this moment: try again in a few seconds",
        code="Busy",
        retry_after_s=AGAIN_S,
    )
