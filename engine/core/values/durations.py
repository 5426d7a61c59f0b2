"""How long something takes, as people say it."""

from __future__ import annotations

from typing import Final

_UNITS: Final = ((86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1000, "second"))


def duration_words(ms: int) -> str:
    """Return so many milliseconds in the largest unit that counts them whole: `1 hour`, `90 minutes`.

    What is no whole number of seconds stays in milliseconds: `1,500 ms`.
    """
    for size, word in _UNITS:
        if ms and ms % size == 0:
            count = ms // size
            return f"1 {word}" if count == 1 else f"{count:,} {word}s"
    return f"{ms:,} ms"
