"""A folder as a disk that was mounted anew without the right to write, as a machine does after an error.

A file's mode would not do: the product sets the modes of its folder itself, and root may write anyway.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def may_mount(scratch: Path) -> bool:
    """Return whether this process may mount; tried on a folder in `scratch`."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    tried = scratch / "mounted"
    tried.mkdir(exist_ok=True)
    try:
        with read_only(tried):
            return not _takes(tried)
    except subprocess.CalledProcessError:
        return False


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Let nobody write in `folder` while the block lasts; no file in it may be open for writing.

    Raises `CalledProcessError` where that is not allowed.
    """
    _mount("--bind", folder, folder)
    try:
        _mount("-o", "remount,bind,ro", folder)
        yield
    finally:
        subprocess.run(["umount", folder], check=True, capture_output=True)


def _mount(*arguments: str | Path) -> None:
    subprocess.run(["mount", *arguments], check=True, capture_output=True)


def _takes(folder: Path) -> bool:
    try:
        (folder / "file").touch()
    except OSError:
        return False
    return True
