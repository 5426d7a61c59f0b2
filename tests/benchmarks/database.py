"""Fresh SQLite databases with the project's own tables, made once and copied for each case."""

from __future__ import annotations

import atexit
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORKSPACE = "bench"


@cache
def _template() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="graphwright-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    environment = {
        **os.environ,
        "GRAPHWRIGHT_VAR": str(folder),
        "DATABASE_URL": "",
        "DJANGO_SETTINGS_MODULE": "builder.project.settings",
    }
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    path = folder / "graphwright.sqlite3"
    with sqlite3.connect(path) as connection:
        _insert_workspace(connection)
    connection.close()
    return path


def _insert_workspace(connection: sqlite3.Connection) -> None:
    """Add the workspace that the runs belong to, giving every column that must have a value."""
    columns = connection.execute("PRAGMA table_info(builder_workspace)").fetchall()
    values: dict[str, object] = {"id": WORKSPACE}
    for _number, name, kind, needed, default, is_key in columns:
        if needed and default is None and not is_key:
            number = kind.lower().startswith(("int", "bool", "big"))
            values[name] = 0 if number else "2020-01-01" if "date" in kind else "{}"
    names = ", ".join(values)
    marks = ", ".join("?" for _ in values)
    sql = f"INSERT OR IGNORE INTO builder_workspace ({names}) VALUES ({marks})"
    connection.execute(sql, list(values.values()))


@dataclass(frozen=True, slots=True)
class Database:
    """One database file in a folder of its own."""

    path: Path

    def used(self) -> int:
        """Return the bytes of all pages in use, the write-ahead log moved over first."""
        connection = sqlite3.connect(self.path)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        count, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        connection.close()
        return int((count - free) * size)

    def remove(self) -> None:
        """Delete the folder."""
        shutil.rmtree(self.path.parent)


def fresh() -> Database:
    """Return a database with the project's tables and one workspace."""
    folder = Path(tempfile.mkdtemp(prefix="graphwright-bench-"))
    path = folder / "db.sqlite3"
    shutil.copyfile(_template(), path)
    return Database(path)


def empty() -> Database:
    """Return a database without tables, for the floor and the peers."""
    return Database(Path(tempfile.mkdtemp(prefix="graphwright-bench-")) / "db.sqlite3")
