"""One file with everything an installation is: the database, its keys, and a manifest that is checked.

The database is copied by its own backup call, so that a server may go on writing meanwhile. Large
values of runs are rows of it; archived runs are files, which come along. A restored folder is whole or
untouched: what it replaces is kept.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import sqlite3
import tarfile
import tempfile
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from builder.adapters import postgres_dump
from builder.adapters.run_store.archive import packing
from builder.base.errors import BackupError
from engine import __version__

FORM: Final = 1
MANIFEST: Final = "manifest.json"
SQLITE: Final = "graphwright.sqlite3"
DUMP: Final = "database.dump"
ARCHIVE: Final = "archive.tar"
"""The files of archived runs."""
KEYS: Final = ("secret_key", "credentials_key")
KEPT: Final = (*KEYS, "mcp.json")
"""Files of the folder that are taken along as they are."""
MAX_MANIFEST: Final = 1024 * 1024
CHUNK: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself; `files` are name to bytes and SHA-256."""

    version: str
    made_at: str
    database: str
    migrations: list[str]
    credentials_key: str
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    form: int = FORM

    @property
    def missing_keys(self) -> list[str]:
        """The keys that came from the environment: whoever restores gives them again."""
        return [name for name in KEYS if name not in self.files]


def back_up(target: Path) -> Manifest:
    """Write a backup to `target`, readable by its owner only. Raises `BackupError`."""
    if target.exists():
        raise BackupError(f"{target} is there already: name a file that is not")
    folder = target.resolve().parent
    if not folder.is_dir():
        raise BackupError(f"there is no folder {folder}: make it first")
    with _scratch(folder) as scratch:
        database = _copy_database(scratch)
        packing.pack(scratch / ARCHIVE)
        for name in KEPT:
            _keep(name, scratch)
        manifest = Manifest(
            __version__,
            datetime.now(UTC).isoformat(timespec="seconds"),
            connection.vendor,
            _applied(database),
            _fingerprint(settings.CREDENTIALS_KEY),
            _described(scratch),
        )
        packed = scratch / "packed"
        _pack(manifest, scratch, packed)
        packed.replace(target)
    _sync(folder)
    return manifest


def restore(source: Path, *, force: bool = False) -> Manifest:
    """Make the installation what the backup has; whoever calls holds the folder's lock.

    Everything is checked before anything is changed. Raises `BackupError`: for a damaged file, for
    one of a newer version, for keys that do not fit, and without `force` where anything would be
    overwritten; what is overwritten in the folder stays in a folder beside it.
    """
    home = Path(settings.VAR_DIR)
    with _scratch(home) as scratch:
        manifest = _unpacked(source, scratch)
        _check_version(manifest)
        if manifest.database != connection.vendor:
            raise BackupError(
                f"this backup is of {manifest.database}, and DATABASE_URL leads to "
                f"{connection.vendor}: set it as it was"
            )
        if not force:
            _check_key(manifest, scratch)
            _check_empty(home)
        _put(home, scratch)
    return manifest


def _copy_database(scratch: Path) -> Path:
    if connection.vendor == "postgresql":
        copy = scratch / DUMP
        postgres_dump.dump(copy)
        return copy
    source = Path(connection.settings_dict["NAME"])
    if not source.is_file():
        raise BackupError(f"there is no database at {source}: nothing to back up")
    copy = scratch / SQLITE
    with closing(sqlite3.connect(source, timeout=30)) as live, closing(sqlite3.connect(copy)) as to:
        live.backup(to)  # in one step: readers and writers of a write-ahead log go on meanwhile
        to.execute("PRAGMA journal_mode=DELETE")
        [[found]] = to.execute("PRAGMA quick_check(1)").fetchall()
    if found != "ok":
        raise BackupError(f"the database is damaged: {found}")
    return copy


def _keep(name: str, scratch: Path) -> None:
    """Copy a file of the folder, if it is there and is what counts."""
    path = Path(settings.VAR_DIR) / name
    used = {"secret_key": settings.SECRET_KEY, "credentials_key": settings.CREDENTIALS_KEY}
    if path.is_file() and (name not in used or path.read_text().strip() == used[name]):
        shutil.copyfile(path, scratch / name)


def _applied(database: Path) -> list[str]:
    if database.name == SQLITE:
        with closing(sqlite3.connect(database)) as copy:
            rows = copy.execute("SELECT app, name FROM django_migrations").fetchall()
    else:
        rows = list(MigrationRecorder(connection).applied_migrations())
    return sorted(name for app, name in rows if app == "builder")


def _described(scratch: Path) -> dict[str, dict[str, Any]]:
    found = {}
    for path in sorted(scratch.iterdir()):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        found[path.name] = {"bytes": path.stat().st_size, "sha256": digest}
    return found


def _pack(manifest: Manifest, scratch: Path, packed: Path) -> None:
    text = json.dumps(asdict(manifest), indent=1).encode()
    with packed.open("xb") as file:
        with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as tar:
            _add(tar, MANIFEST, io.BytesIO(text), len(text))
            for name, about in manifest.files.items():
                with (scratch / name).open("rb") as content:
                    _add(tar, name, content, about["bytes"])
        file.flush()
        os.fsync(file.fileno())


def _add(tar: tarfile.TarFile, name: str, content: IO[bytes], size: int) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = size, 0o600, int(time.time())
    tar.addfile(member, content)


@contextmanager
def _opened(source: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(source, mode="r:gz") as tar:
            yield tar
    except FileNotFoundError:
        raise BackupError(f"there is no file {source}") from None
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        raise BackupError(f"{source} is no whole backup: {error}") from error


def _manifest(tar: tarfile.TarFile, source: Path) -> Manifest:
    first = tar.next()
    content = None if first is None or first.name != MANIFEST else tar.extractfile(first)
    if first is None or content is None or first.size > MAX_MANIFEST:
        raise BackupError(
            f"{source} is no backup of Graphwright: it does not begin with a manifest"
        )
    try:
        told = Manifest(**json.loads(content.read(MAX_MANIFEST)))
        names = set(told.files)
        sizes = [
            int(about["bytes"]) + 0 * int(about["sha256"], 16) for about in told.files.values()
        ]
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise BackupError(f"the manifest of {source} cannot be read: {error}") from error
    if (
        told.form != FORM
        or not names <= {SQLITE, DUMP, ARCHIVE, *KEPT}
        or min(sizes, default=0) < 0
    ):
        raise BackupError(f"{source} was made by a newer Graphwright: update first")
    return told


def _unpacked(source: Path, scratch: Path) -> Manifest:
    """Write the backup's files into `scratch` and compare each with its hash."""
    with _opened(source) as tar:
        manifest = _manifest(tar, source)
        while member := tar.next():
            about = manifest.files.get(member.name)
            content = tar.extractfile(member) if about is not None and member.isfile() else None
            if about is None or content is None or member.size != about["bytes"]:
                raise BackupError(f"{source} is damaged at {member.name[:100]!r}")
            _write(scratch / member.name, content, about, source)
    absent = [name for name in manifest.files if not (scratch / name).exists()]
    if absent:
        raise BackupError(f"{source} is damaged: {absent[0]} is missing")
    return manifest


def _write(path: Path, content: IO[bytes], about: Mapping[str, Any], source: Path) -> None:
    digest = hashlib.sha256()
    with path.open("xb") as file:
        while chunk := content.read(CHUNK):
            digest.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    if digest.hexdigest() != about["sha256"]:
        raise BackupError(f"{source} is damaged: {path.name} is not what the manifest says")


def _check_version(manifest: Manifest) -> None:
    known = {name for app, name in MigrationLoader(None).disk_migrations if app == "builder"}
    newer = sorted(set(manifest.migrations) - known)
    if _numbers(manifest.version) > _numbers(__version__) or newer:
        raise BackupError(
            f"this backup is of version {manifest.version}, and this is {__version__}: update first"
        )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdecimal() else 0 for part in version[:50].split("."))


def _check_key(manifest: Manifest, scratch: Path) -> None:
    """Refuse a backup whose credentials the key that will count does not open."""
    kept = Path(settings.VAR_DIR) / "credentials_key"
    from_file = kept.is_file() and kept.read_text().strip() == settings.CREDENTIALS_KEY
    given = scratch / "credentials_key"
    key = given.read_text().strip() if from_file and given.exists() else settings.CREDENTIALS_KEY
    if _fingerprint(key) != manifest.credentials_key:
        raise BackupError(
            "the credentials in this backup were sealed under another key: set CREDENTIALS_KEY as "
            "it was, or give --force to do without them"
        )


def _check_empty(home: Path) -> None:
    there = [name for name in (SQLITE, "mcp.json") if (home / name).exists()]
    if (
        connection.vendor == "postgresql"
        and "builder_user" in connection.introspection.table_names()
    ):
        there.append("the database at DATABASE_URL")
    if there:
        raise BackupError(
            f"{' and '.join(there)} would be overwritten: give --force if that is meant"
        )


def _put(home: Path, scratch: Path) -> None:
    """Put the unpacked files in their places; what was there goes into a folder of its own."""
    dump = scratch / DUMP
    if dump.exists():
        postgres_dump.load(dump)
        dump.unlink()
    archive = scratch / ARCHIVE
    if archive.exists():
        packing.unpack(archive)
        archive.unlink()
    aside = home / f"replaced-{datetime.now(UTC):%Y%m%dT%H%M%S%f}"
    replaced = [name for name in (*KEPT, SQLITE) if (scratch / name).exists()]
    old = [*replaced, f"{SQLITE}-wal", f"{SQLITE}-shm"] if SQLITE in replaced else replaced
    there = [home / name for name in old if (home / name).exists()]
    if there:
        aside.mkdir(mode=0o700)
    for path in there:
        path.replace(aside / path.name)
    for name in replaced:  # the database comes last: without it, a restore may simply be repeated
        (scratch / name).replace(home / name)
    _sync(home)


def _fingerprint(key: str) -> str:
    return hashlib.sha256(b"credentials-key" + key.encode()).hexdigest()[:32]


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """Give a folder on the same disk that nobody else may read; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=folder) as name:
        former = os.umask(0o077)
        try:
            yield Path(name)
        finally:
            os.umask(former)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
