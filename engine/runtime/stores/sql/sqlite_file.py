"""An SQLite file of the engine's own: held by one process, and its tables made or brought up to date."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from engine.core.errors import StoreInUse, StoreUnusable
from engine.runtime.stores.sql.schema import APPLICATION, STEPS
from engine.runtime.stores.sql.trouble import refusal

LOCK_SUFFIX: Final = ".lock"
NO_DATABASE: Final = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})
PROJECT: Final = "django_migrations"
"""A table that a file has which a server's migrations made."""


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


def prepare(path: Path) -> None:
    """Make the tables of runs in the file, or bring them up to date, all or nothing.

    Raises `StoreUnusable` for what is no file of the engine's or of a newer one, and `StoreError`.
    """
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            version = _version(connection, path)
            if version < len(STEPS):
                _step_up(connection, version)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in NO_DATABASE:
            raise StoreUnusable(
                f"{path} is no SQLite database, or a damaged one: name another file, or move it away"
            ) from error
        raise refusal(error, f"{path} could not be opened") from error


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the tables in the file, 0 for an empty one. Raises `StoreUnusable`."""
    [[owner]] = connection.execute("PRAGMA application_id")
    [[version]] = connection.execute("PRAGMA user_version")
    tables = {name for [name] in connection.execute("SELECT name FROM sqlite_master")}
    if PROJECT in tables:
        raise StoreUnusable(
            f"{path} is the database of a Graphwright server: name another file, or run the graph "
            "there with `manage.py run_graph --store database`"
        )
    if owner != APPLICATION and (tables or owner or version):
        raise StoreUnusable(f"{path} is the database of something else: name another file")
    if version > len(STEPS):
        raise StoreUnusable(
            f"{path} was written by a newer Graphwright (its tables have version {version}, this one "
            f"knows {len(STEPS)}): update, or name another file"
        )
    return int(version)


def _step_up(connection: sqlite3.Connection, version: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for step in STEPS[version:]:
        for statement in step.split(";\n"):
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {len(STEPS)}")
    connection.execute("COMMIT")
