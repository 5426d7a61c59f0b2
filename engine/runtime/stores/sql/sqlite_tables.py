"""The tables of runs in an SQLite file of the engine's own: made, or brought up to date."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from engine.core.errors import StoreUnusable
from engine.runtime.stores.sql.schema import APPLICATION, STEPS
from engine.runtime.stores.sql.trouble import refusal

NO_DATABASE: Final = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})
PROJECT: Final = "django_migrations"
"""A table that a file has which a server's migrations made."""


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
