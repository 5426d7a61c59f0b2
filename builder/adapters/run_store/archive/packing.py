"""The folder of archived runs in a backup: all files in one tar, and back."""

from __future__ import annotations

import re
import shutil
import tarfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from builder.adapters.run_store.archive.run_file import MAX_PART
from builder.adapters.run_store.archive.shelf import ENDING, folder
from builder.base.errors import BackupError

NAME: Final = re.compile(r"[0-9a-f]{2}/[0-9a-z-]{1,64}\.jsonl\.gz")
MAX_FILE: Final = 16 * MAX_PART


def pack(target: Path) -> bool:
    """Write the files of all archived runs to `target`; return whether there are any.

    Their database is copied before: a file that is of no row yet does no harm.
    """
    files = sorted(folder().glob(f"??/*{ENDING}"))
    if not files:
        return False
    with tarfile.open(target, "w") as tar:
        for path in files:
            try:
                tar.add(path, f"{path.parent.name}/{path.name}", recursive=False)
            except FileNotFoundError:  # of a run that was deleted a day ago
                continue
    return True


def unpack(source: Path) -> None:
    """Make the folder of archived runs what `source` has; what was there stays beside it.

    Raises `BackupError` for a file that is none of a run, before anything is changed.
    """
    home = folder()
    fresh = home.with_name(f"{home.name}.restoring")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700, parents=True)
    with tarfile.open(source, "r:") as tar:
        while member := tar.next():
            content = tar.extractfile(member) if member.isfile() else None
            if content is None or not NAME.fullmatch(member.name) or member.size > MAX_FILE:
                raise BackupError(f"the backup holds {member.name[:100]!r}, no archived run")
            path = fresh / member.name
            path.parent.mkdir(mode=0o700, exist_ok=True)
            with path.open("wb") as file:
                shutil.copyfileobj(content, file)
    if home.exists():
        home.replace(home.with_name(f"{home.name}-replaced-{datetime.now(UTC):%Y%m%dT%H%M%S%f}"))
    fresh.replace(home)
