"""Processes that are kept running: what they say is shown with their names, who dies begins again."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final, TextIO

from django.conf import settings

from builder.process.up.account import Account
from builder.process.up.programs import spawn

PATIENCE_S: Final = 40.0
"""How long a process may take to end; what it does then is taken over as after a crash."""
FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 30.0
STEADY_S: Final = 60.0
"""Who ran so long has begun well: the next pause is a short one again."""
LOOK_S: Final = 0.1
BASE: Final = Path(settings.BASE_DIR)


class Child:
    """One process by its name, begun again after a pause that grows while it dies early."""

    def __init__(
        self, name: str, command: list[str], environ: Mapping[str, str], shown: TextIO
    ) -> None:
        self.name = name
        self._command = command
        self._environ = environ
        self._shown = shown
        self._process: subprocess.Popen[bytes] | None = None
        self._began = 0.0
        self._pause = FIRST_PAUSE_S
        self._again_at = 0.0

    def keep(self) -> None:
        """Begin the process if it is not there and its pause is over."""
        now = time.monotonic()
        if self._process is not None and self._process.poll() is not None:
            self._ended(self._process.returncode, now)
        if self._process is None and now >= self._again_at:
            self._begin(now)

    def _begin(self, now: float) -> None:
        self._began = now
        process = spawn(self._command, Account(), BASE, subprocess.PIPE, environ=self._environ)
        self._process = process
        assert process.stdout is not None
        reader = threading.Thread(target=self._show, args=(process.stdout,), daemon=True)
        reader.start()

    def _ended(self, code: int, now: float) -> None:
        if now - self._began > STEADY_S:
            self._pause = FIRST_PAUSE_S
        self._say(f"ended with {code}; begins again in {self._pause:.0f} s")
        self._again_at = now + self._pause
        self._pause = min(self._pause * 2, LONGEST_PAUSE_S)
        self._process = None

    def _show(self, lines: IO[bytes]) -> None:
        for line in lines:
            self._say(line.decode(errors="replace").rstrip())

    def _say(self, text: str) -> None:
        self._shown.write(f"{self.name:<9} {text}\n")
        self._shown.flush()

    def tell_to_end(self) -> None:
        """Ask the process to end; it leaves what it does to others."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def wait(self, until: float) -> None:
        """Wait until the process has ended, and end it at the moment `until`."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._say("did not end in time, and is ended")
            self._process.kill()
            self._process.wait()


def keep_all(children: Sequence[Child], ended: threading.Event) -> None:
    """Keep the processes running until `ended`; called on the thread that lives as long as they."""
    while not ended.wait(LOOK_S):
        for child in children:
            child.keep()


def end_all(groups: Sequence[Sequence[Child]]) -> None:
    """End the processes, one group after the other: who serves people outlives who executes."""
    for group in groups:
        until = time.monotonic() + PATIENCE_S
        for child in group:
            child.tell_to_end()
        for child in group:
            child.wait(until)
