"""Starting a program that ends with this process, however this process ends."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Final

from builder.process.up.account import Account

_LIBC: Final = ctypes.CDLL(None) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG: Final = 1


def spawn(
    command: list[str],
    account: Account,
    folder: Path,
    log: IO[bytes] | int,
    *,
    environ: Mapping[str, str] | None = None,
    told: int = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, so that keys pressed in the terminal do not reach it.

    On Linux it is `told` to end when the thread that called this ends, also where that was killed.
    """
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=lambda: _end_with_parent(told),  # noqa: PLW1509 - one libc call that was loaded before the fork
        **account.options(),
    )


def _end_with_parent(told: int) -> None:
    """Ask the kernel to stop this process when the one that started it dies."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, told)
