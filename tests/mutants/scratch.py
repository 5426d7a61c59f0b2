"""A copy of the tree in which mistakes are made: the tree that people work in is never touched."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.mutants.mutant import Mutant

ROOT = Path(__file__).resolve().parents[2]
LINKED = (".venv", "frontend/node_modules", "static/build")
UNUSED = ("docs/images/",)


class Scratch:
    """A copy of what git knows or would add, with the installed packages of the tree itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._kept: tuple[Path, str] | None = None
        self._written = 0
        for name in _sources():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
        for name in LINKED:
            if (ROOT / name).exists():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).symlink_to(ROOT / name)

    def mutate(self, mutant: Mutant) -> None:
        """Make the mistake. Raises `ValueError` where it has no one place."""
        file = self.folder / mutant.file
        source = file.read_text()
        self._write(file, mutant.applied(source))
        self._kept = file, source

    def restore(self) -> None:
        """Take the mistake back."""
        if self._kept is not None:
            self._write(*self._kept)
            self._kept = None

    def _write(self, file: Path, source: str) -> None:
        """Write a file with a time of its own: compiled code is known by it, in whole seconds."""
        file.write_text(source)
        self._written += 1
        made = file.stat().st_mtime + self._written
        os.utime(file, (made, made))


def _sources() -> list[str]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [
        name
        for name in listed.split("\0")
        if name and not name.startswith(UNUSED) and (ROOT / name).is_file()
    ]
