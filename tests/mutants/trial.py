"""Running tests in a scratch tree, in a process of its own that has the packages loaded already.

Most of the time that a test takes by itself is spent on loading Django and pytest. A trial is a
fork of a process that did so once, and loads only what may hold the mistake.
"""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from tests.mutants.scratch import Scratch

SECONDS = 900
"""How long the tests of one mutant may take."""

OURS = ("engine", "builder", "tests", "steps")
PLUGINS = ("pytest_asyncio.plugin", "pytest_django.plugin")
OPTIONS = ("-q", "-x", "--no-header", "--tb=line", "-p", "no:cacheprovider")
LOADED = "loaded.txt"
SURVIVED, KILLED, BROKEN = 0, 1, 2


class Trial:
    """Some tests under way in a scratch tree."""

    def __init__(self, scratch: Scratch, tests: tuple[str, ...]) -> None:
        self._told = scratch.folder / "told.txt"
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            _run(scratch.folder, self._told, tests)

    def noticed(self, status: int) -> str:
        """Return which test failed, "" if none did; `status` is what `os.waitpid` gave.

        Raises `RuntimeError` where they could not be run: that is no proof of anything.
        """
        code = os.waitstatus_to_exitcode(status)
        told = self._told.read_text(errors="replace")
        if code == -signal.SIGALRM:
            raise RuntimeError(f"no end after {SECONDS} s")
        if code not in (SURVIVED, KILLED):
            raise RuntimeError(told[-2_000:])
        lines = [
            line for line in told.splitlines() if line.startswith(("FAILED", "ERROR", "not ok"))
        ]
        return (lines or ["failed"])[0] if code == KILLED else ""


def preload(names: Path) -> None:
    """Import the packages that an earlier trial has listed, as far as they can be by themselves."""
    for name in names.read_text().split():
        with suppress(Exception):
            importlib.import_module(name)


def _run(folder: Path, told: Path, tests: tuple[str, ...]) -> NoReturn:
    code = BROKEN
    try:
        signal.alarm(SECONDS)
        output = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.chdir(folder)
        python = [test for test in tests if test.partition("::")[0].endswith(".py")]
        front = [test for test in tests if test not in python]
        code = _pytest(folder, python) if python else SURVIVED
        if code == SURVIVED and front:
            code = _vitest(folder, front, told)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _pytest(folder: Path, tests: list[str]) -> int:
    for name in [name for name in sys.modules if name.split(".")[0] in OURS]:
        del sys.modules[name]
    sys.path[0] = str(folder)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    import pytest

    plugins = [part for name in PLUGINS for part in ("-p", name)]
    code = int(pytest.main([*OPTIONS, *plugins, *tests]))
    loaded = [name for name in sys.modules if name.split(".")[0] not in OURS]
    (folder / LOADED).write_text(" ".join(loaded))
    return code


def _vitest(folder: Path, tests: list[str], told: Path) -> int:
    program = "node_modules/vitest/vitest.mjs"
    files = [test.removeprefix("frontend/") for test in tests]
    path = os.pathsep.join((os.environ["PATH"], str(folder / ".venv" / "bin")))
    done = subprocess.run(
        ["node", program, "run", "--reporter=tap-flat", "--bail=1", *files],
        cwd=folder / "frontend",
        env={**os.environ, "PATH": path},
        check=False,
    )
    if done.returncode == 0:
        return SURVIVED
    failed = any(line.startswith("not ok") for line in told.read_text().splitlines())
    return KILLED if failed else BROKEN
