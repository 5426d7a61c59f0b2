"""Places for those who try a password from one origin in the same moment."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from builder.base.errors import TooMany

AT_ONCE: Final = 3
"""Attempts from one origin that are looked at in the same moment."""

_inside: Counter[str] = Counter()
_lock = threading.Lock()


@contextmanager
def place(origin: str) -> Iterator[None]:
    """Hold a place for the block. Raises `TooMany` `Busy` while others of the origin have them all."""
    with _lock:
        if _inside[origin] >= AT_ONCE:
            raise TooMany(
                "several sign-ins from your network are being looked at: try again in a moment",
                code="Busy",
                retry_after_s=1,
            )
        _inside[origin] += 1
    try:
        yield
    finally:
        with _lock:
            _inside[origin] -= 1
            if not _inside[origin]:
                del _inside[origin]
