"""Backups: what is in them, what is refused, and that nothing is half done."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import stat
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from builder.base.errors import BackupError
from builder.services import backups

ROOT = Path(__file__).parents[3]
SEED = """
from builder.models import *
from builder.services import catalogue
from builder.services.people import accounts
who = accounts.create_first_owner(name="Olga", email="o@example.com", password="correct horse b")
catalogue.create_credential(who, name="key", kind="bearer", hosts=["a.example"], value="s3cret")
"""
READ = """
from builder.models import Credential, User
from builder.base import vault
one = Credential.objects.get()
print(User.objects.get().email, vault.unseal(bytes(one.ciphertext), one.pk))
"""
Edit = Callable[[dict[str, bytes]], None]


class Place:
    """A folder that commands work on, each in a process of its own as an operator runs them."""

    def __init__(self, folder: Path, **environ: str) -> None:
        self.var = folder / "var"
        self.environ = {
            **{k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"},
            "GRAPHWRIGHT_VAR": str(self.var),
            **environ,
        }

    def manage(self, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env={**self.environ, **environ},
            capture_output=True,
            text=True,
            check=False,
        )

    def seeded(self, template: Path) -> Place:
        self.var.mkdir(exist_ok=True)
        shutil.copy(template, self.var / backups.SQLITE)
        done = self.manage("shell", "-v0", "-c", SEED)
        assert done.returncode == 0, done.stderr
        return self

    def read(self) -> str:
        done = self.manage("shell", "-v0", "-c", READ)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Path:
    """A backup of an installation with a person and a credential."""
    folder = tmp_path_factory.mktemp("backed-up")
    place = Place(folder).seeded(sqlite_template)
    target = folder / "today.backup"
    done = place.manage("backup", str(target))
    assert done.returncode == 0, done.stderr
    return target


def edited(backup: Path, to: Path, edit: Edit) -> Path:
    """The backup with other contents, packed as a backup is."""
    with tarfile.open(backup) as tar:
        contents = {member.name: tar.extractfile(member).read() for member in tar}  # type: ignore[union-attr]
    edit(contents)
    with tarfile.open(to, "w:gz") as tar:
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return to


def retold(**said: Any) -> Edit:
    """Change what the manifest says."""

    def edit(contents: dict[str, bytes]) -> None:
        manifest = json.loads(contents[backups.MANIFEST])
        contents[backups.MANIFEST] = json.dumps({**manifest, **said}).encode()

    return edit


@pytest.mark.slow
def test_what_is_restored_opens_with_the_keys_that_came_along(backup: Path, tmp_path: Path) -> None:
    place = Place(tmp_path)

    done = place.manage("restore", str(backup))

    assert done.returncode == 0, done.stderr
    assert place.read() == "o@example.com s3cret"
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    for name in ("secret_key", "credentials_key", backups.SQLITE):
        assert stat.S_IMODE((place.var / name).stat().st_mode) == 0o600
    assert not list(place.var.glob(".backup-*"))


@pytest.mark.slow
def test_what_is_there_is_replaced_only_when_that_is_meant_and_is_kept(
    backup: Path, tmp_path: Path, sqlite_template: Path
) -> None:
    place = Place(tmp_path).seeded(sqlite_template)
    before = (place.var / "credentials_key").read_text()

    refused = place.manage("restore", str(backup))
    assert refused.returncode != 0
    assert "--force" in refused.stderr
    assert (place.var / "credentials_key").read_text() == before

    assert place.manage("restore", "--force", str(backup)).returncode == 0
    [aside] = place.var.glob("replaced-*")
    assert (aside / "credentials_key").read_text() == before
    assert (aside / backups.SQLITE).stat().st_size > 0
    assert place.read() == "o@example.com s3cret"


@pytest.mark.slow
def test_a_key_that_does_not_open_the_credentials_is_told_before_anything_changes(
    backup: Path, tmp_path: Path
) -> None:
    place = Place(tmp_path, CREDENTIALS_KEY="another key")

    refused = place.manage("restore", str(backup))

    assert refused.returncode != 0
    assert "CREDENTIALS_KEY" in refused.stderr
    assert not (place.var / backups.SQLITE).exists()


@pytest.mark.slow
def test_a_key_of_the_environment_is_not_written_down(
    tmp_path: Path, sqlite_template: Path
) -> None:
    place = Place(tmp_path, CREDENTIALS_KEY="kept elsewhere").seeded(sqlite_template)
    target = tmp_path / "b"

    done = place.manage("backup", str(target))

    assert "Not in it: credentials_key" in done.stdout
    assert b"kept elsewhere" not in gzip.decompress(target.read_bytes())


@pytest.mark.slow
def test_a_server_that_runs_is_not_restored_under(backup: Path, tmp_path: Path) -> None:
    from builder.process.process_lock import exclusive

    place = Place(tmp_path)
    place.var.mkdir()
    with exclusive(place.var):
        refused = place.manage("restore", "--force", str(backup))

    assert refused.returncode != 0
    assert "stop it first" in refused.stderr
    assert not (place.var / backups.SQLITE).exists()


def flipped(contents: dict[str, bytes]) -> None:
    raw = bytearray(contents[backups.SQLITE])
    raw[5_000] ^= 1
    contents[backups.SQLITE] = bytes(raw)


def without_database(contents: dict[str, bytes]) -> None:
    del contents[backups.SQLITE]


def with_more(contents: dict[str, bytes]) -> None:
    contents["../../evil"] = b"x"


def without_manifest(contents: dict[str, bytes]) -> None:
    del contents[backups.MANIFEST]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (flipped, "not what the manifest says"),
        (without_database, "missing"),
        (with_more, "damaged"),
        (without_manifest, "manifest"),
        (retold(version="9.0.0"), "update first"),
        (retold(migrations=["0001_tables", "9999_later"]), "update first"),
        (retold(form=2), "newer"),
        (retold(files=[]), "cannot be read"),
        (retold(more=1), "cannot be read"),
        (retold(files={"../x": {"bytes": 1, "sha256": "00"}}), "newer"),
        (retold(database="postgresql"), "DATABASE_URL"),
    ],
)
@pytest.mark.django_db
def test_what_is_no_good_backup_is_refused_and_changes_nothing(
    backup: Path, tmp_path: Path, settings: Any, edit: Edit, said: str
) -> None:
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()
    broken = edited(backup, tmp_path / "broken", edit)

    with pytest.raises(BackupError, match=said):
        backups.restore(broken, force=True)

    assert list(settings.VAR_DIR.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"hello", gzip.compress(b"hello", mtime=0), None])
def test_what_is_no_archive_at_all_is_refused(
    tmp_path: Path, settings: Any, content: bytes | None
) -> None:
    settings.VAR_DIR = tmp_path
    path = tmp_path / "x"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(BackupError, match="x"):
        backups.restore(path)


def test_half_a_backup_is_refused(backup: Path, tmp_path: Path, settings: Any) -> None:
    settings.VAR_DIR = tmp_path
    half = tmp_path.parent / f"{tmp_path.name}-half"
    half.write_bytes(backup.read_bytes()[: backup.stat().st_size // 2])

    with pytest.raises(BackupError, match="whole"):
        backups.restore(half)


def test_a_backup_is_never_overwritten(backup: Path) -> None:
    before = backup.read_bytes()

    with pytest.raises(BackupError, match="already"):
        backups.back_up(backup)

    assert backup.read_bytes() == before
