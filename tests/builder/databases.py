"""Migrated databases: one template of each kind, made once, and a fresh copy for every test.

A plugin of the whole suite (tests/conftest.py): a fixture that a module imports is made anew for it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.commands import flush
from django.core.management.sql import sql_flush
from django.db import connections
from psycopg import sql

from builder.adapters.run_store.database import postgres_dialect
from builder.base import environment
from engine.runtime.stores.sql.store import sqlite_dialect
from engine.runtime.stores.sql.writer import Dialect

HOME, AWAY = "home", "away"
OF_THE_CODE = {"django_content_type", "auth_permission"}
"""Tables whose rows name what the code has: migrating writes them, no test changes them."""


@contextmanager
def named(settings: dict[str, Any]) -> Iterator[str]:
    """Give the alias of a database that is none of the project's."""
    alias = f"template_{uuid.uuid4().hex}"
    connections.databases[alias] = connections.configure_settings(
        {"default": {**settings, "OPTIONS": {}}}
    )["default"]
    try:
        yield alias
    finally:
        connections[alias].close()
        del connections[alias]
        del connections.databases[alias]


def migrate(settings: dict[str, Any]) -> None:
    """Make all tables in a database that is none of the project's."""
    with named(settings) as alias:
        call_command("migrate", database=alias, verbosity=0, interactive=False)


@dataclass
class Database:
    """A database with two workspaces, and eyes of the test's own on its rows."""

    dialect: Dialect
    path: Path | None = None
    url: str = ""

    def rows(self, text: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Return what a query finds, on a connection of its own."""
        connection = self.dialect.connect()
        try:
            found = connection.execute(self.dialect.sql(text), parameters).fetchall()
            return [tuple(row) for row in found]
        finally:
            connection.close()

    def change(self, text: str, parameters: Sequence[Any] = ()) -> None:
        """Execute one statement."""
        connection = self.dialect.connect()
        try:
            connection.execute(self.dialect.sql(text), parameters)
        finally:
            connection.close()

    @contextmanager
    def served(self) -> Iterator[None]:
        """Have Django's rows here while the block lasts, on all threads."""
        own = environment.database(self.url, self.path or Path())
        former = connections.databases["default"]
        connections["default"].close()
        del connections["default"]
        configured = connections.configure_settings({"default": {**own, "OPTIONS": {}}})
        connections.databases["default"] = configured["default"]
        try:
            yield
        finally:
            connections["default"].close()
            del connections["default"]
            connections.databases["default"] = former

    def add_workspaces(self) -> Database:
        """Insert the rows that runs refer to."""
        for name in (HOME, AWAY):
            self.change(
                "INSERT INTO builder_workspace (id, name, slug, settings, created_at) "
                "VALUES (?, ?, ?, '{}', '2026-01-01 00:00:00+00:00')",
                (name, name, name),
            )
        return self


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Path:
    """A migrated SQLite file, made by the first of the test processes that asks."""
    own = tmp_path_factory.getbasetemp()
    folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    path, fresh = folder / "empty.sqlite3", folder / "empty.new"
    with (folder / "empty.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            with django_db_blocker.unblock():
                migrate(environment.sqlite(fresh))
            fresh.rename(path)
    return path


@pytest.fixture(scope="session", autouse=True)
def what_the_code_has_stays() -> Iterator[None]:
    """Empty all other tables after a test that commits.

    Django would write these rows anew each time, in some twenty commits: a third of such a test.
    """

    def of_others(style: Any, connection: Any, **options: Any) -> Any:
        names = connection.introspection.django_table_names
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                connection.introspection,
                "django_table_names",
                lambda **which: [name for name in names(**which) if name not in OF_THE_CODE],
            )
            return sql_flush(style, connection, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flush, "sql_flush", of_others)
        patch.setattr(flush, "emit_post_migrate_signal", lambda *given: None)
        yield


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Tell pytest-django to migrate what is there already."""
    return True


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, sqlite_template: Path
) -> Iterator[None]:
    """Begin the database of this process's tests as a copy of the template."""
    configured = settings.DATABASES["default"]
    own = Path(configured["TEST"]["NAME"]) if "TEST" in configured else None
    if own is not None and configured["ENGINE"].endswith("sqlite3"):
        shutil.copy(sqlite_template, own)
    yield
    if own is not None:
        own.unlink(missing_ok=True)


@pytest.fixture(scope="session")
def postgres_template(postgres_server_url: str, django_db_blocker: Any) -> Iterator[str]:
    """The name of a migrated database of the server."""
    name = f"template_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    with django_db_blocker.unblock():
        migrate(environment.database(with_name(postgres_server_url, name), Path()))
    yield name
    for left in (*FREE.pop(name, ()), name):
        drop(postgres_server_url, left)


def with_name(url: str, name: str) -> str:
    """Return the URL of another database of the server."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def drop(server_url: str, name: str) -> None:
    """Drop a database whoever is connected."""
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def migrated_url(postgres_server_url: str, postgres_template: str) -> Iterator[str]:
    """URL of a PostgreSQL database of this test's own that has all tables and nothing in them."""
    with copied(postgres_server_url, postgres_template) as url:
        yield url


@contextmanager
def copied(server_url: str, template: str) -> Iterator[str]:
    """Give the URL of a copy of the template, which nobody else has while the block lasts."""
    free = FREE.setdefault(template, [])
    name = free.pop() if free else copy(server_url, template)
    yield with_name(server_url, name)
    if emptied(server_url, name):
        free.append(name)
    else:
        drop(server_url, name)


FREE: dict[str, list[str]] = {}
"""By template, copies that a test before has left: five hundred files are not copied for each."""

SHAPE = """
SELECT (SELECT count(*) || ':' || sum(oid::bigint) FROM pg_class WHERE relnamespace = s.oid),
       (SELECT count(*) || ':' || sum(oid::bigint) FROM pg_proc WHERE pronamespace = s.oid),
       (SELECT count(*) || ':' || sum(oid::bigint) FROM pg_trigger),
       (SELECT count(*) || ':' || sum(oid::bigint) FROM pg_constraint WHERE connamespace = s.oid),
       (SELECT count(*) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = s.oid AND NOT a.attisdropped),
       (SELECT count(*) FROM pg_namespace)
FROM pg_namespace s WHERE s.nspname = 'public'
"""
"""What tests that change tables change: such a copy is no copy any more."""

EMPTY = """
DO $$
DECLARE one regclass; found int;
BEGIN
  SET LOCAL session_replication_role = replica;
  FOR one IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
             AND relname NOT IN ('django_migrations', 'django_content_type', 'auth_permission') LOOP
    EXECUTE format('SELECT 1 FROM %s LIMIT 1', one) INTO found;
    IF found IS NOT NULL THEN EXECUTE format('DELETE FROM %s', one); END IF;
  END LOOP;
  FOR one IN SELECT format('%I.%I', schemaname, sequencename)::regclass FROM pg_sequences
             WHERE schemaname = 'public' AND last_value IS NOT NULL LOOP
    IF one::text NOT SIMILAR TO '(django_migrations|django_content_type|auth_permission)%' THEN
      EXECUTE format('ALTER SEQUENCE %s RESTART', one);
    END IF;
  END LOOP;
END $$
"""


def copy(server_url: str, template: str) -> str:
    """Make a copy of the template, and note what it is like; return its name."""
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
    if server_url not in SHAPES:
        with psycopg.connect(with_name(server_url, name), autocommit=True) as own:
            SHAPES[server_url] = own.execute(SHAPE).fetchone()
    return name


def emptied(server_url: str, name: str) -> bool:
    """Have nothing in a copy, and nobody at it; return whether its tables are still as they were."""
    with psycopg.connect(with_name(server_url, name), autocommit=True) as own:
        own.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        if own.execute(SHAPE).fetchone() != SHAPES[server_url]:
            return False
        own.execute(EMPTY)
    return True


SHAPES: dict[str, Any] = {}
"""By server, what the tables of its copies are like."""


def copied_postgres(server_url: str, template: str) -> Iterator[Database]:
    """Give a copy of the template, with two workspaces, and drop it afterwards."""
    with copied(server_url, template) as url:
        yield Database(postgres_dialect(url), url=url).add_workspaces()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        path = tmp_path / "runs.sqlite3"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        yield Database(sqlite_dialect(path, synchronous="OFF"), path).add_workspaces()
    else:
        template = request.getfixturevalue("postgres_template")
        yield from copied_postgres(request.getfixturevalue("postgres_server_url"), template)
