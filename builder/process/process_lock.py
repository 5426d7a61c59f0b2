"""One process at a time: the operating system's lock on the folder with the database."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from builder.base.environment import unwritable

LOCK_NAME: Final = "lock"


class AlreadyServed(RuntimeError):
    """Another process holds the folder with the database."""


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Hold the operating system's lock on `folder`: it ends with the process, however it ends.

    Raises `AlreadyServed`, and `ImproperlyConfigured` where nothing can be written there.
    """
    with _opened(folder / LOCK_NAME) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyServed("another process serves this folder already") from None
        yield


def _opened(path: Path) -> IO[str]:
    try:
        return path.open("a+")
    except OSError as error:
        raise unwritable(path, error) from error
