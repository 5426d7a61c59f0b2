"""Where the files of archived runs stand, and one of them opened for reading."""

from __future__ import annotations

import hashlib
import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

from django.conf import settings

from builder.adapters.run_store.archive.run_file import (
    LAST_SEQ,
    Index,
    Row,
    events_in,
    unpacked,
    value_in,
)
from builder.base.errors import ArchiveDamaged
from builder.models import RunArchive
from engine.core.state.events import Event
from engine.runtime.stores.sql.payloads import decode

COLUMNS: Final = ("run", "head", "size", "sha256", "parts")
PLAIN_NAME: Final = re.compile(r"[0-9a-z-]{1,36}")
ENDING: Final = ".jsonl.gz"
KNOWN_GOOD: Final = 1_000
"""Files whose hash is not computed again while they stay as they are."""


def folder() -> Path:
    """Return the folder of all archived runs."""
    return Path(settings.ARCHIVE_DIR)


def path_of(run_id: str) -> Path:
    """Return where the file of a run stands: in one of 256 folders, under the run's id."""
    digest = hashlib.sha256(run_id.encode()).hexdigest()
    name = run_id if PLAIN_NAME.fullmatch(run_id) else digest
    return folder() / digest[:2] / f"{name}{ENDING}"


@dataclass(frozen=True, slots=True)
class ArchivedRun:
    """One archived run: its file, and where in it things are."""

    run: str
    head: int
    """The last seq in the file."""
    size: int
    sha256: str
    index: Index

    @classmethod
    def of(cls, run: str, head: int, size: int, sha256: str, parts: str) -> ArchivedRun:
        """Return the run that a row of `RunArchive` tells of."""
        return cls(run, head, size, sha256, Index.read(parts))

    def events(self, after: int = 0, until: int = LAST_SEQ) -> Iterator[Row]:
        """Yield events with `seq` above `after` and up to `until`. Raises `ArchiveDamaged`."""
        parts = self.index.events
        place = max(0, bisect_right([part[0] for part in parts], after + 1) - 1)
        for first, start, size, plain in islice(parts, place, None):
            if first > until:
                return
            for row in events_in(unpacked(self._read(start, size), plain)):
                if after < row[0] <= until:
                    yield row

    def decoded(self, after: int = 0, until: int = LAST_SEQ) -> list[Event]:
        """Return events as the engine folds them, their large values read back."""

        def blob(name: str) -> bytes:
            found = self.value(name)
            if found is None:
                raise ArchiveDamaged(f"the value {name} is missing in {self.run}")
            return found

        return [
            Event(seq, kind, at, key, decode(data, blob))
            for seq, kind, at, key, data in self.events(after, until)
        ]

    def value(self, name: str) -> bytes | None:
        """Return a large value as JSON; None if the run has none of that hash."""
        part = self.index.values.get(name)
        if part is None:
            return None
        return value_in(unpacked(self._read(part[0], part[1]), part[2]), name)

    def whole(self) -> Path:
        """Return the file, compared with what was written. Raises `ArchiveDamaged`."""
        path = path_of(self.run)
        try:
            found = path.stat()
            good = found.st_size == self.size and _digest(path, found.st_mtime_ns, found.st_size)
        except OSError as error:
            raise ArchiveDamaged(
                f"the file of this archived run cannot be read at {path.name}: {error.strerror}"
            ) from error
        if good != self.sha256:
            raise ArchiveDamaged(
                f"the file of this archived run, {path.name}, is not what was written"
            )
        return path

    def _read(self, start: int, size: int) -> bytes:
        with self.whole().open("rb") as file:
            file.seek(start)
            return file.read(size)


@lru_cache(maxsize=KNOWN_GOOD)
def _digest(path: Path, _changed: int, _size: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def archived_run(run_id: str) -> ArchivedRun | None:
    """Return an archived run by its id; None for one whose log is in the tables."""
    row = RunArchive.objects.filter(pk=run_id, gone_at=None).values_list(*COLUMNS).first()
    return None if row is None else ArchivedRun.of(*row)


def settle(temporary: Path, path: Path) -> None:
    """Give a written file its name; it is on disk under it when this returns."""
    temporary.replace(path)
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
