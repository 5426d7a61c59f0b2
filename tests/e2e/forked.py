"""Servers as processes of their own that do not import everything anew.

The standard library's fork server has imported what knows no settings (`preloaded`), which is more
than half of a start. Each server is a fork of it with an environment and a log of its own that goes
on as `manage.py` does; what it reads of its environment it reads after the fork.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import runpy
import subprocess
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
APPEND: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT


class Forked:
    """A process that runs a command of `manage.py`, with what `subprocess.Popen` can be asked."""

    def __init__(self, arguments: Sequence[str], environ: Mapping[str, str], log: Path) -> None:
        self.args = arguments
        self._process = _context().Process(
            target=manage, args=(list(arguments), dict(environ), str(log)), daemon=True
        )
        self._process.start()

    @property
    def pid(self) -> int:
        """The id of the process."""
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Return the exit code, None while the process lives."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code once the process has ended. Raises `subprocess.TimeoutExpired`."""
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask the process to end."""
        self._process.terminate()

    def kill(self) -> None:
        """End the process without any warning."""
        self._process.kill()


class Nursery:
    """A fork that imports the rest as well, with one environment, and forks servers from there."""

    def __init__(self, environ: Mapping[str, str], log: Path) -> None:
        self._near, far = _context().Pipe()
        self._process = _context().Process(
            target=nurse, args=(dict(environ), str(log), far), daemon=True
        )
        self._process.start()
        far.close()

    def fork(self, command: str) -> int:
        """Start a process that runs a command of `manage.py`; return its id."""
        self._near.send(command)
        return int(self._near.recv())

    def close(self) -> None:
        """End it; what it started stays."""
        self._near.close()
        self._process.kill()
        self._process.join()


def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.e2e.preloaded"])
    return context


def nurse(environ: dict[str, str], log: str, far: Connection) -> None:
    """Fork servers until nobody asks any more, in the fork."""
    settle(environ, log)
    from tests.e2e.nursery import bear, prepare

    prepare()
    with contextlib.suppress(EOFError):
        while True:
            far.send(bear(far.recv()))


def manage(arguments: list[str], environ: dict[str, str], log: str) -> None:
    """Go on as `manage.py` with `arguments`, in the fork."""
    settle(environ, log)
    sys.argv = ["manage.py", *arguments]
    runpy.run_path(str(ROOT / "manage.py"), run_name="__main__")


def settle(environ: dict[str, str], log: str) -> None:
    """Take the environment, folder, log and session of a process of its own."""
    os.setsid()
    out = os.open(log, APPEND, 0o644)
    for stream in (1, 2):
        os.dup2(out, stream)
    os.close(out)
    for each in (sys.stdout, sys.stderr):
        each.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environ)
    given = [place for place in environ.get("PYTHONPATH", "").split(os.pathsep) if place]
    own = {"", str(ROOT), *given}
    sys.path[:] = [str(ROOT), *given, *(place for place in sys.path if place not in own)]
