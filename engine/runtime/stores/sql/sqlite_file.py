"""An SQLite file of the engine's own: held by one process, and its tables made or brought up to date."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from engine.core.errors import StoreInUse, StoreUnusable

LOCK_SUFFIX: Final = ".lock"


def file_of(path: str | os.PathLike[str]) -> Path:
    """Return the absolute path of a file that may keep runs. Raises `StoreUnusable`."""
    if os.fspath(path) in ("", ":memory:"):
        raise StoreUnusable(
            f"{os.fspath(path)!r} names no file: name one, such as 'runs.db'. What need not outlive "
            "the process is run by `run_document` or `make_local`"
        )
    found = Path(path).expanduser().resolve()
    if found.is_dir():
        raise StoreUnusable(f"{found} is a folder: name a file in it, such as {found / 'runs.db'}")
    if found.exists() and not found.is_file():
        raise StoreUnusable(f"{found} is no file: name one that is, or one to be made")
    if not found.parent.is_dir():
        raise StoreUnusable(f"there is no folder {found.parent}: make it, or name another file")
    if not os.access(found if found.exists() else found.parent, os.W_OK):
        raise StoreUnusable(f"{found} cannot be written: give this user the right, or name another")
    return found


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the file for this process: the lock beside it ends with the process, however it ends.

    Raises `StoreInUse`, `StoreUnusable`.
    """
    import fcntl  # not on every system that can import the engine

    lock = path.with_name(path.name + LOCK_SUFFIX)
    try:
        file = lock.open("a+")
    except OSError as error:
        raise StoreUnusable(f"{lock} cannot be written: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            who = f"process {told}" if (told := file.read(20).strip()) else "another process"
            raise StoreInUse(
                f"{who} has {path} open: let it end, or name another file. Within one process, open "
                "it once and share it"
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield
