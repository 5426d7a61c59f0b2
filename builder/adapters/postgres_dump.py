"""A PostgreSQL database into a file and back, by PostgreSQL's own programs."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from django.db import connection

from builder.base.errors import BackupError

SAID: Final = 500


def dump(target: Path) -> None:
    """Write the database to `target`. Raises `BackupError`."""
    _run("pg_dump", ["--format=custom", "--no-owner", "--no-privileges", f"--file={target}"])


def load(source: Path) -> None:
    """Make the database what the dump has, all of it or nothing. Raises `BackupError`."""
    connection.close()
    options = ["--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction"]
    name = connection.settings_dict["NAME"]
    _run("pg_restore", [*options, "--exit-on-error", f"--dbname={name}", str(source)])


def _run(program: str, options: Sequence[str]) -> None:
    path = shutil.which(program)
    if path is None:
        raise BackupError(
            f"{program} is not installed here: it comes with PostgreSQL's client programs, of the "
            "server's version or newer"
        )
    done = subprocess.run(
        [path, *options],
        env={**os.environ, **_place()},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip()[:SAID]}")


def _place() -> dict[str, str]:
    """Return where the database is, in the variables that PostgreSQL's programs read."""
    config = connection.settings_dict
    names = {
        "PGDATABASE": "NAME",
        "PGUSER": "USER",
        "PGPASSWORD": "PASSWORD",
        "PGHOST": "HOST",
        "PGPORT": "PORT",
    }
    return {name: str(config[key]) for name, key in names.items() if config.get(key)}
