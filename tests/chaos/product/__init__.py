"""The product as its users run it, in processes that can be broken and come back."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Final

from tests.e2e.server import ROOT, Client
from tests.services import free_port

ANSWER_S: Final = 120
SOON_S: Final = 20
"""So long a product is away for the end of a minute, at most."""
Mishap = Callable[[Random], None]
"""Something that goes wrong, and is over when the call returns or when the product is healed."""


class Product(ABC):
    """One installation on a scratch folder."""

    def __init__(self, folder: Path, allow: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.starts_s: list[float] = []
        """How long each start of a killed server took until its first answer, in seconds."""
        (folder / "var").mkdir(parents=True, exist_ok=True)
        self.environ = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "builder.project.settings",
            "GRAPHWRIGHT_VAR": str(folder / "var"),
            "EGRESS_ALLOW": allow,
            "PYTHONUNBUFFERED": "1",
        }

    @abstractmethod
    def start(self) -> None:
        """Start everything, and return once it answers."""

    @abstractmethod
    def kill_one(self, chance: Random) -> str:
        """`kill -9` one process and bring it back; return its name."""

    @abstractmethod
    def mishaps(self) -> Mapping[str, Mishap]:
        """Return what else can go wrong with its machine, by name."""

    @abstractmethod
    def tend(self) -> None:
        """Do what keeps the product running: called again and again."""

    @abstractmethod
    def heal(self) -> None:
        """Have all processes there and going."""

    @abstractmethod
    def close(self) -> None:
        """End all processes."""

    def spawn(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start `manage.py` with these arguments; what it says is kept in `name`.log."""
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "manage.py", *arguments],
                cwd=ROOT,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_up(self) -> None:
        """Return once the server answers; AssertionError after two minutes."""
        until = time.monotonic() + ANSWER_S
        while not self._answers():
            assert time.monotonic() < until, f"no answer for {ANSWER_S} s; see {self.folder}"
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            return Client(self.port, timeout_s=3).request("GET", "/readyz")[0] == 200
        except (OSError, http.client.HTTPException, ValueError):
            return False


def to_minutes_end() -> float:
    """Return the seconds until the clock shows another minute."""
    return 60 - time.time() % 60


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process, a stopped one too, and wait until it is gone."""
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.wait()
