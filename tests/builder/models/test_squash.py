"""An empty database is given all tables at once: those that one migration after the other leaves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg import sql

from builder.base import environment
from tests.builder.databases import drop, named, with_name

SQUASHED = ("builder", "0001_squashed_0043_sign_in")
MIDDLE = "0020_causes"
Found = set[tuple[Any, ...]]

POSTGRES = (
    "SELECT table_name, column_name, data_type, character_maximum_length, numeric_precision, "
    "numeric_scale, is_nullable, column_default, is_identity FROM information_schema.columns "
    "WHERE table_schema = 'public'",
    "SELECT conrelid::regclass::text, contype::text, pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE connamespace = 'public'::regnamespace AND contype <> 'n'",
    "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "SELECT sequencename FROM pg_sequences",
)
NAME_OF_INDEX = re.compile(r"INDEX \w+ ON")
"""Django makes up other names for what is unique from the start and what becomes so."""
PARTS = re.compile(r",(?![^(]*\))")
"""Commas outside of innermost parentheses."""


def postgres_schema(connection: BaseDatabaseWrapper) -> Found:
    """Return columns, constraints, indexes, triggers and sequences."""
    found: Found = set()
    with connection.cursor() as cursor:
        for query in POSTGRES:
            cursor.execute(query)
            rows = cursor.fetchall()
            found |= {
                tuple(
                    NAME_OF_INDEX.sub("INDEX ON", part) if isinstance(part, str) else part
                    for part in row
                )
                for row in rows
            }
    return found


def sqlite_schema(connection: BaseDatabaseWrapper) -> Found:
    """Return the parts of what made the tables, and the indexes and triggers as they were made."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT type, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        rows = cursor.fetchall()
    found: Found = set()
    for kind, table, made in rows:
        inside = made[made.index("(") + 1 : made.rindex(")")] if kind == "table" else ""
        parts = PARTS.split(inside) if kind == "table" else [made]
        found |= {(kind, table, " ".join(part.split())) for part in parts}
    return found


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Migrates as before there was all at once, up to a number."""
    load = MigrationLoader.load_disk

    def load_all_but_one(loader: MigrationLoader) -> None:
        load(loader)
        del loader.disk_migrations[SQUASHED]

    def migrate(alias: str, upto: str) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(MigrationLoader, "load_disk", load_all_but_one)
            call_command("migrate", "builder", upto, database=alias, verbosity=0)

    return migrate


@contextmanager
def empty(kind: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Give the alias of an empty database."""
    if kind == "sqlite":
        with named(environment.sqlite(folder / "empty.sqlite3")) as alias:
            yield alias
        return
    server = request.getfixturevalue("postgres_server_url")
    name = f"empty_{folder.name}".replace("-", "_")
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        with named(environment.database(with_name(server, name), Path())) as alias:
            yield alias
    finally:
        drop(server, name)


def planned(alias: str) -> list[str]:
    """Return what a database does not have yet."""
    executor = MigrationExecutor(connections[alias])
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [migration.name for migration, _ in plan if migration.app_label == "builder"]


@pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.long])]
)
@pytest.mark.slow
def test_a_database_in_the_middle_goes_on_to_the_same_tables(
    kind: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    settings: Any,
    django_db_blocker: Any,
    one_by_one: Callable[[str, str], None],
) -> None:
    settings.AUDIT_GUARD = True
    schema = sqlite_schema if kind == "sqlite" else postgres_schema
    for folder in (tmp_path / "at_once", tmp_path / "one_by_one"):
        folder.mkdir()
    with (
        django_db_blocker.unblock(),
        empty(kind, tmp_path / "at_once", request) as new,
        empty(kind, tmp_path / "one_by_one", request) as old,
    ):
        assert SQUASHED[1] in planned(new)
        call_command("migrate", "builder", database=new, verbosity=0)

        one_by_one(old, MIDDLE)
        assert SQUASHED[1] not in planned(old)
        assert planned(old)[0].startswith("0021_")
        call_command("migrate", "builder", database=old, verbosity=0)
        MigrationRecorder(connections[old]).record_unapplied(*SQUASHED)

        assert planned(old) == planned(new) == []  # as one that never heard of all at once
        assert schema(connections[new]) == schema(connections[old])
        assert len(schema(connections[new])) > 500
