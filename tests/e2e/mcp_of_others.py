"""An MCP server that others wrote, over streamable HTTP, as a process that can be stopped and killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from tests.e2e.server import ROOT, wait_until
from tests.services import free_port

PYTHON = ROOT / ".cache" / "mcp" / "bin"
MODULES = ROOT / "tests" / "servers" / "node_modules"
EVERYTHING = MODULES / "@modelcontextprotocol" / "server-everything" / "dist"


@dataclass(slots=True)
class Everything:
    """The reference server `everything`, on one port through all that is done to it."""

    port: int
    place: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def origin(self) -> str:
        """Return where it is."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """Return its endpoint."""
        return f"{self.origin}/mcp"

    @property
    def log(self) -> str:
        """Return what it wrote."""
        return (self.place / "everything.log").read_text()

    def start(self) -> None:
        """Start it and wait until it answers."""
        log = (self.place / "everything.log").open("ab")
        self.process = subprocess.Popen(
            ["node", str(self.place / "dist" / "index.js"), "streamableHttp"],
            env={"PATH": os.environ["PATH"], "PORT": str(self.port)},
            stdout=log,
            stderr=log,
        )
        wait_until(self._answers, "the server of others")

    def kill(self) -> None:
        """End it without any warning."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def hang(self, on: bool = True) -> None:
        """Let it hold its connections and say nothing, or go on."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP if on else signal.SIGCONT)

    def describe_echo(self, text: str) -> None:
        """Let its next start describe the tool `echo` in other words."""
        path = self.place / "dist" / "tools" / "echo.js"
        before = path.read_text()
        assert "Echoes back the input string" in before
        path.write_text(before.replace("Echoes back the input string", text))

    def _answers(self) -> bool:
        try:
            urlopen(self.url, timeout=5).close()
        except HTTPError:
            return True
        except URLError:
            return False
        return True


@contextmanager
def everything(place: Path) -> Iterator[Everything]:
    """Run the server from a copy of its own, which a test may change."""
    shutil.copytree(EVERYTHING, place / "dist")
    shutil.copy(EVERYTHING.parent / "package.json", place / "package.json")
    (place / "node_modules").symlink_to(MODULES)
    server = Everything(free_port(), place)
    server.start()
    try:
        yield server
    finally:
        server.kill()
