"""An installation on one machine: its own PostgreSQL, and processes that are kept running."""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command

from builder.process.up import binaries, children
from builder.process.up.binaries import NoPostgres
from builder.process.up.children import Child, end_all, keep_all
from builder.process.up.postgres import kept_postgres
from tests.e2e.server import wait_until


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the account of the database may enter."""
    made = Path(tempfile.mkdtemp(prefix="gw-up-"))
    made.chmod(0o755)
    yield made / "postgres"
    shutil.rmtree(made)


@pytest.mark.postgres
@pytest.mark.slow
def test_the_database_is_made_once_and_kept(folder: Path) -> None:
    """Only who has the password enters, also from this machine."""
    with kept_postgres(folder) as url:
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE kept (word text)")
        password = (folder / "password").read_text()
        assert password in url
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(url.replace(password, "a-guess"))
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url, connect_timeout=2)

    with kept_postgres(folder) as again, psycopg.connect(again) as connection:
        assert connection.execute("SELECT * FROM kept").fetchall() == []
        assert connection.execute("SHOW fsync").fetchone() == ("on",)


@pytest.mark.postgres
@pytest.mark.slow
def test_a_database_that_cannot_begin_says_why(folder: Path) -> None:
    """The folder is of another kind."""
    (folder / "data").mkdir(parents=True)
    (folder / "password").write_text("a-word")

    with pytest.raises(NoPostgres, match="its log ends so"), kept_postgres(folder):
        pass


def test_without_the_package_the_cure_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "PACKAGE", "no_such_package")

    with pytest.raises(NoPostgres, match="DATABASE_URL"):
        binaries.installed()


@pytest.mark.parametrize("odd", [{"web": 0}, {"workers": 65}])
def test_numbers_of_processes_have_bounds(odd: dict[str, int]) -> None:
    with pytest.raises(CommandError, match="a number from 1 to 64"):
        call_command("up", **odd)


def test_a_process_that_dies_begins_again_and_its_words_have_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The pause grows while it dies early."""
    monkeypatch.setattr(children, "FIRST_PAUSE_S", 0.01)
    shown, ended = io.StringIO(), threading.Event()
    child = Child("worker.1", [sys.executable, "-c", "print('hello'); exit(3)"], {}, shown)
    monkeypatch.setattr(child, "_pause", 0.01)
    keeper = threading.Thread(target=keep_all, args=([child], ended))
    keeper.start()
    wait_until(lambda: shown.getvalue().count("hello") >= 2, "the second begin")
    ended.set()
    keeper.join()
    end_all([[child]])

    assert "worker.1  hello\n" in shown.getvalue()
    assert "worker.1  ended with 3; begins again in" in shown.getvalue()
    assert child._pause >= 0.02


def test_a_process_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "PATIENCE_S", 0.3)
    stubborn = "import signal, time; signal.signal(15, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"
    shown = io.StringIO()
    child = Child("worker.1", [sys.executable, "-c", stubborn], {}, shown)
    child.keep()
    wait_until(lambda: "up" in shown.getvalue(), "its begin")

    end_all([[child]])

    assert "did not end in time, and is ended" in shown.getvalue()
    assert child._process is not None
    assert child._process.returncode == -9
