"""One schema for both: what the engine's steps make is what the project's migrations make."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from engine.runtime.stores.sql import sqlite_file
from engine.runtime.stores.sql.sqlite_file import prepare

OWN: Final = {"local_document"}
"""Tables that only a file of the engine's has: a project keeps its documents as versions."""
READ: Final = {"builder_worker"}
"""Tables that the store only reads: who is alive is written by whoever runs it."""
LED_TO: Final = {
    ("builder_run", "workspace_id"): "builder_workspace",
    ("builder_run", "graph_id"): "builder_graph",
    ("builder_run", "version_id"): "builder_graphversion",
    ("builder_interrupt", "workspace_id"): "builder_workspace",
    ("builder_budget", "workspace_id"): "builder_workspace",
    ("builder_breaker", "workspace_id"): "builder_workspace",
    ("builder_spending", "workspace_id"): "builder_workspace",
    ("builder_triggerspending", "workspace_id"): "builder_workspace",
}
"""The only difference: columns that in a project lead to a table that people write."""
WRITTEN: Final = re.compile(r"\b(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")
STORE: Final = Path(sqlite_file.__file__).parents[1]


def tables(connection: sqlite3.Connection) -> set[str]:
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name for (name,) in found if not name.startswith("sqlite_")}


def columns(connection: sqlite3.Connection, table: str) -> list[Any]:
    """Return (name, type, not null, default, place in the primary key) in their order."""
    return [row[1:] for row in connection.execute(f"PRAGMA table_info({table})")]


def references(connection: sqlite3.Connection, table: str) -> set[Any]:
    """Return (column, table, its column, on update, on delete) of every foreign key."""
    return {
        (row[3], row[2], *row[4:7])
        for row in connection.execute(f"PRAGMA foreign_key_list({table})")
    }


def indexes(connection: sqlite3.Connection, table: str) -> set[Any]:
    """Return each index: its name unless SQLite gave it, unique, whose, columns, condition."""
    found = set()
    for _, name, unique, origin, partial in connection.execute(f"PRAGMA index_list({table})"):
        parts = connection.execute(f"PRAGMA index_xinfo({name})").fetchall()
        keys = tuple((part[2], part[3], part[4]) for part in parts if part[5])
        said = connection.execute(
            "SELECT sql FROM sqlite_master WHERE name = ?", (name,)
        ).fetchone()
        where = plain(said[0]).partition(" where ")[2] if partial else ""
        shown = None if name.startswith("sqlite_autoindex") else name
        found.add((shown, unique, origin, keys, where))
    return found


def words(connection: sqlite3.Connection, table: str) -> set[str]:
    """Return what a table's definition says beside its columns: constraints, counting, deferring."""
    (said,) = connection.execute(
        "SELECT sql FROM sqlite_master WHERE name = ?", (table,)
    ).fetchone()
    text = plain(said)
    checked = set(re.findall(r"constraint \w+ (?:unique|check) \(.*?\)", text))
    return checked | {word for word in ("autoincrement", "without rowid", "strict") if word in text}


def plain(sql: str) -> str:
    return re.sub(r"\s+", " ", sql.replace('"', "")).lower()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    prepare(tmp_path / "own.db")
    with closing(sqlite3.connect(tmp_path / "own.db")) as connection:
        yield connection


@pytest.fixture
def migrated(sqlite_template: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(sqlite_template)) as connection:
        yield connection


def test_every_table_that_the_store_writes_is_in_a_file_of_its_own(own: sqlite3.Connection) -> None:
    sources = [path.read_text() for path in STORE.rglob("*.py")]
    written = {name for source in sources for name in WRITTEN.findall(source)} - {"SET"}

    assert len(written) > 12
    assert written == tables(own) - OWN - READ


def test_columns_are_those_of_the_migrations(
    own: sqlite3.Connection, migrated: sqlite3.Connection
) -> None:
    for table in tables(own) - OWN:
        assert columns(own, table) == columns(migrated, table), table
        assert words(own, table) == words(migrated, table), table


def test_indexes_are_those_of_the_migrations(
    own: sqlite3.Connection, migrated: sqlite3.Connection
) -> None:
    for table in tables(own) - OWN:
        assert indexes(own, table) == indexes(migrated, table), table


def test_references_differ_only_where_they_lead_to_what_people_write(
    own: sqlite3.Connection, migrated: sqlite3.Connection
) -> None:
    for table in tables(own) - OWN:
        leads_out = {
            (column, other, "id", "NO ACTION", "NO ACTION")
            for (of, column), other in LED_TO.items()
            if of == table
        }
        assert references(migrated, table) - references(own, table) == leads_out, table
        assert references(own, table) <= references(migrated, table), table


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE builder_timer ADD COLUMN more int NULL",
        "DROP INDEX builder_timer_fire_at_895ba3c7",
        "CREATE INDEX timer_more ON builder_timer (kind)",
    ],
)
def test_the_comparison_sees_a_difference(
    own: sqlite3.Connection, migrated: sqlite3.Connection, change: str
) -> None:
    def whole(connection: sqlite3.Connection) -> tuple[Any, ...]:
        return columns(connection, "builder_timer"), indexes(connection, "builder_timer")

    assert whole(own) == whole(migrated)
    own.execute(change)
    assert whole(own) != whole(migrated)
