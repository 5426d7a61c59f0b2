"""The SQLite file of an installation shrinks when runs leave it, and takes its archive into backups."""

from __future__ import annotations

import sqlite3
import tarfile
from pathlib import Path
from typing import Any

import pytest

from builder.adapters.run_store.archive import packing, shelf
from builder.base import environment
from builder.base.errors import BackupError
from builder.services import backups
from tests.builder.services.test_backup import Place

WRITE = """
import os
from builder.models import Blob
Blob.objects.bulk_create([Blob(hash=str(n), size=1, data=os.urandom(100_000)) for n in range(120)])
"""
SHRINK = """
from builder.models import Blob
from builder.services.runs.retention import shrinking
Blob.objects.all().delete()
print(shrinking.can_shrink(), shrinking.shrink())
"""


def run(place: Place, *words: str) -> str:
    done = place.manage(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_the_file_shrinks(tmp_path: Path, sqlite_template: Path) -> None:
    """A file of before is rebuilt for it once."""
    place = Place(tmp_path).seeded(sqlite_template)
    file = place.var / backups.SQLITE
    run(place, "shell", "-v0", "-c", WRITE)
    full = file.stat().st_size
    assert full > 12_000_000
    assert run(place, "shell", "-v0", "-c", SHRINK) == "False 0"
    assert "it shrinks by itself now" in run(place, "shrink")
    assert file.stat().st_size < full - 8_000_000

    run(place, "shell", "-v0", "-c", WRITE)
    assert file.stat().st_size > 12_000_000
    can, gave = run(place, "shell", "-v0", "-c", SHRINK).split()
    assert (can, int(gave) > 8_000_000) == ("True", True)
    assert file.stat().st_size < full - 8_000_000


def test_a_new_file_can_shrink(tmp_path: Path) -> None:
    options = environment.sqlite(tmp_path / "new")["OPTIONS"]
    with sqlite3.connect(tmp_path / "new") as new:
        new.executescript(options["init_command"] + "CREATE TABLE t (a)")
        assert new.execute("PRAGMA auto_vacuum").fetchone() == (2,)


def test_archived_runs_go_into_a_backup_and_come_back(settings: Any, tmp_path: Path) -> None:
    settings.ARCHIVE_DIR = str(tmp_path / "archive")
    tar = tmp_path / "archive.tar"
    assert not packing.pack(tar)
    path = shelf.path_of("r1")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"kept")
    (path.parent / "half.part").write_bytes(b"half")
    assert packing.pack(tar)
    path.write_bytes(b"other")

    packing.unpack(tar)

    assert path.read_bytes() == b"kept"
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    [aside] = tmp_path.glob("archive-replaced-*")
    assert (aside / path.parent.name / path.name).read_bytes() == b"other"


@pytest.mark.parametrize("name", ["../x.jsonl.gz", "ab/../../x.jsonl.gz", "/etc/x", "ab/x.py"])
def test_a_backup_writes_nowhere_else(settings: Any, tmp_path: Path, name: str) -> None:
    settings.ARCHIVE_DIR = str(tmp_path / "archive")
    tar = tmp_path / "archive.tar"
    with tarfile.open(tar, "w") as made:
        made.addfile(tarfile.TarInfo(name))
    with pytest.raises(BackupError):
        packing.unpack(tar)
    assert not (tmp_path / "archive").exists()
