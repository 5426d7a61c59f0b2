"""The one-process server: its lock, its environment."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from builder.base import environment
from builder.process.process_lock import AlreadyServed, exclusive
from tests.e2e.server import ROOT


def test_one_process_at_a_time_serves_a_folder(tmp_path: Path) -> None:
    with exclusive(tmp_path), pytest.raises(AlreadyServed), exclusive(tmp_path):
        pass

    with exclusive(tmp_path):
        pass


def test_a_secret_is_made_once_and_for_the_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "key"

    made = environment.kept_secret(path)

    assert environment.kept_secret(path) == made
    assert len(made) >= 48
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IRUSR | stat.S_IWUSR


def test_a_folder_that_cannot_be_written_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = "cannot be written: Not a directory. Let the user of this process write there, or set "

    with pytest.raises(ImproperlyConfigured, match=re.escape(said)), exclusive(tmp_path / "file"):
        pass
    with pytest.raises(ImproperlyConfigured, match=re.escape(said)):
        environment.kept_secret(tmp_path / "file" / "key")
    ran = subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "builder.project.settings",
            "GRAPHWRIGHT_VAR": str(tmp_path / "file" / "var"),
        },
        timeout=60,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    [line] = ran.stderr.splitlines()
    assert f"{tmp_path / 'file' / 'var'} {said}GRAPHWRIGHT_VAR to another folder." in line


def test_an_empty_secret_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "key").touch()

    with pytest.raises(ImproperlyConfigured):
        environment.kept_secret(tmp_path / "key")


def test_nonsense_in_the_environment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "X_FLAG", "maybe")
    monkeypatch.setitem(os.environ, "X_PORT", "80a")

    with pytest.raises(ImproperlyConfigured):
        environment.flag("X_FLAG")
    with pytest.raises(ImproperlyConfigured):
        environment.number("X_PORT", 1)
    with pytest.raises(ImproperlyConfigured):
        environment.database("mysql://x/y", Path("x"))


def test_a_database_url_is_read() -> None:
    read = environment.database("postgresql://me:p%40ss@db.example:5433/graphs", Path("x"))

    assert (read["NAME"], read["USER"], read["PASSWORD"]) == ("graphs", "me", "p@ss")
    assert (read["HOST"], read["PORT"]) == ("db.example", "5433")


def test_origins_are_written_as_browsers_do() -> None:
    assert environment.origins(["a", "[::1]"], 8000, https=False) == [
        "http://a:8000",
        "http://[::1]:8000",
    ]
    assert environment.origins(["a"], 80, https=False) == ["http://a"]
    assert environment.origins(["a"], 8000, https=True) == ["https://a"]
