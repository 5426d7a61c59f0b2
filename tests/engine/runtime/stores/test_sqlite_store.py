"""The store on an SQLite file of the engine's own keeps the contracts of every store."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core.errors import StoreInUse, StoreUnusable
from engine.runtime.stores.sql import schema, sqlite_file
from engine.runtime.stores.sql.schema import APPLICATION, STEPS
from engine.runtime.stores.sql.sqlite_file import file_of, held, prepare
from engine.runtime.stores.sql.store import SqlRunStore, sqlite_dialect
from engine.runtime.system import SystemClock
from tests.engine.buffer_contract import BufferContract
from tests.engine.sql_bench import SqlProcesses
from tests.engine.store_contract import GRAPHS, StoreContract

ROOT = Path(__file__).resolve().parents[4]


class OnFile:
    """`open` gives stores over one fresh file."""

    processes: SqlProcesses

    @pytest.fixture(autouse=True)
    def _file(self, tmp_path: Path) -> Iterator[None]:
        path = tmp_path / "runs.db"
        prepare(path)
        dialect = sqlite_dialect(path, synchronous="OFF")
        self.processes = SqlProcesses(
            lambda: SqlRunStore(dialect, SystemClock(), GRAPHS, home="local")
        )
        yield
        self.processes.close()

    def open(self) -> SqlRunStore:
        return self.processes.open()


class TestStore(OnFile, StoreContract):
    """What every store does."""


class TestBuffer(OnFile, BufferContract):
    """What every store does with money that is lost."""


# --- the file ------------------------------------------------------------------------------------


def stamp(path: Path) -> tuple[int, int]:
    """Return whose the file is, and the version of its tables."""
    connection = sqlite3.connect(path)
    try:
        [[owner]] = connection.execute("PRAGMA application_id")
        [[version]] = connection.execute("PRAGMA user_version")
        return owner, version
    finally:
        connection.close()


def change(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_new_and_an_empty_file_get_the_tables(tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    empty.touch()
    for path in (tmp_path / "new.db", empty):
        prepare(path)
        prepare(path)

        assert stamp(path) == (APPLICATION, len(STEPS))


def test_a_file_of_an_older_version_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "runs.db"
    prepare(path)
    change(path, "INSERT INTO builder_blob VALUES ('h', 1, x'00')")
    steps = (*schema.STEPS, "ALTER TABLE builder_blob ADD COLUMN more text NULL;\n")
    monkeypatch.setattr(sqlite_file, "STEPS", steps)

    prepare(path)

    assert stamp(path) == (APPLICATION, len(steps))
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT hash, more FROM builder_blob").fetchall() == [("h", None)]
    connection.close()


def test_a_step_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "runs.db"
    broken = ("CREATE TABLE a (b int);\nCREATE TABLE a (b int);\n",)
    monkeypatch.setattr(sqlite_file, "STEPS", broken)

    with pytest.raises(Exception, match="could not be opened"):
        prepare(path)

    monkeypatch.undo()
    prepare(path)
    assert stamp(path) == (APPLICATION, len(STEPS))


def test_a_newer_file_is_refused_with_the_cure(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    prepare(path)
    change(path, "PRAGMA user_version = 99")

    with pytest.raises(
        StoreUnusable, match=r"newer Graphwright \(its tables have version 99.*update"
    ):
        prepare(path)


@pytest.mark.parametrize(
    ("table", "said"),
    [("django_migrations", "database of a Graphwright server"), ("mine", "of something else")],
)
def test_a_database_of_somebody_else_is_refused_and_stays_as_it_is(
    tmp_path: Path, table: str, said: str
) -> None:
    path = tmp_path / "other.db"
    change(path, f"CREATE TABLE {table} (a int)")
    before = path.read_bytes()

    with pytest.raises(StoreUnusable, match=said):
        prepare(path)

    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear diary\n" * 500)

    with pytest.raises(StoreUnusable, match=r"no SQLite database.*name another"):
        prepare(path)

    assert path.read_text() == "dear diary\n" * 500


def test_what_names_no_file_is_refused_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="is a folder: name a file in it"):
        file_of(tmp_path)
    with pytest.raises(StoreUnusable, match=r"there is no folder .*make it"):
        file_of(tmp_path / "nowhere" / "runs.db")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreUnusable, match="is no file"):
        file_of(tmp_path / "pipe")
    for nothing in ("", ":memory:"):
        with pytest.raises(StoreUnusable, match="names no file"):
            file_of(nothing)
    assert file_of(tmp_path / "runs.db") == tmp_path / "runs.db"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    path.touch(0o400)

    with pytest.raises(StoreUnusable, match="cannot be written"):
        file_of(path)


def test_one_process_has_a_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    tries = (
        "import pathlib, sys\n"
        "from engine.runtime.stores.sql.sqlite_file import held\n"
        "with held(pathlib.Path(sys.argv[1])): print('had')\n"
    )

    def other() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", tries, str(path)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    with held(path):
        refused = other()
        with pytest.raises(StoreInUse, match=f"process {os.getpid()} has {path} open"), held(path):
            pass

    assert "StoreInUse" in refused.stderr
    assert f"process {os.getpid()} has" in refused.stderr
    assert other().stdout == "had\n"


def test_a_lock_without_a_name_is_told_too(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with (tmp_path / "runs.db.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)

        with pytest.raises(StoreInUse, match="another process has"), held(path):
            pass
