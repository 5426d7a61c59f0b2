"""Processes of the code as it was before the last migration, beside those of today."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.e2e.forked import Nursery
from tests.e2e.rolling import Fleet
from tests.e2e.server import ROOT

VITE: Final = ROOT / "frontend" / "node_modules" / "vite" / "bin" / "vite.js"
BIN: Final = str(Path(sys.executable).parent)
"""Where Node is, on a machine that has none of its own."""


def former_commit() -> str:
    """Return the commit whose processes are replaced: `UPGRADE_FROM`, or the last with fewer tables.

    Empty where this clone does not know it.
    """
    asked = os.environ.get("UPGRADE_FROM")
    last = asked or _git("log", "-1", "--format=%H^", "--", "builder/migrations")
    return _git("rev-parse", "--verify", "--quiet", f"{last}^{{commit}}")


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


def lay_out(commit: str, folder: Path) -> Path:
    """Write the tree of a commit into a folder, build its pages, and return the folder."""
    folder.mkdir()
    packed = subprocess.Popen(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", str(folder)], stdin=packed.stdout, check=True)
    assert packed.wait() == 0
    (folder / "frontend" / "node_modules").symlink_to(ROOT / "frontend" / "node_modules")
    subprocess.run(
        ["node", "--preserve-symlinks", str(VITE), "build"],
        cwd=folder / "frontend",
        env={**os.environ, "PATH": os.pathsep.join((os.environ["PATH"], BIN))},
        capture_output=True,
        check=True,
    )
    return folder


class FormerNursery(Nursery):
    """Forks servers from the code of another tree, as `Nursery` does from this one's."""

    def __init__(self, tree: Path, environ: Mapping[str, str], log: Path) -> None:
        path = os.pathsep.join((str(tree), environ["PYTHONPATH"]))
        with log.open("ab") as out:
            self._former = subprocess.Popen(
                [sys.executable, "-m", "tests.e2e.nursery"],
                cwd=tree,
                env={**environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=out,
                text=True,
                start_new_session=True,
            )

    def fork(self, command: str) -> int:
        """Start a process that runs a command of `manage.py`; return its id."""
        assert self._former.stdin is not None
        assert self._former.stdout is not None
        self._former.stdin.write(f"{command}\n")
        self._former.stdin.flush()
        return int(self._former.stdout.readline())

    def close(self) -> None:
        """End it; what it started stays."""
        self._former.kill()
        self._former.communicate()


class Succession(Fleet):
    """A fleet of former processes that is replaced by one of today's."""

    def of(self, tree: Path) -> None:
        """Start the first ones from that tree."""
        self._todays, self._nursery = self._nursery, FormerNursery(tree, self.environ, self.log)

    def replace_all(self) -> None:
        """Replace every former process by one of today's."""
        self._nursery.close()
        self._nursery = self._todays
        super().replace_all()
