"""The files that git knows."""

from __future__ import annotations

import ast
import gc
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


def parsed(source: str) -> ast.Module:
    """Return the tree of a Python source; collected rubbish may warn, and then parses in between.

    Python 3.11 counts the depth of all trees that it builds in one place, so a collection whose
    warning shows a traceback (which parses a line) makes the tree under construction a SystemError.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(source)
    finally:
        if was:
            gc.enable()
