"""The files that git knows."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def tracked() -> list[str]:
    """Return the paths that git knows and that are still there."""
    shown = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [name for name in shown.stdout.split("\0") if name and (ROOT / name).is_file()]


def texts() -> Iterator[tuple[str, str]]:
    """Give the name and content of every tracked text file."""
    for name in tracked():
        try:
            yield name, (ROOT / name).read_text()
        except UnicodeDecodeError:
            continue
