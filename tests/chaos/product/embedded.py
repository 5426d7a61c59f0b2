"""The product in one process, on SQLite."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final

from tests.chaos.product import ANSWER_S, SOON_S, Mishap, Product, end, to_minutes_end
from tests.chaos.product.read_only import may_mount, read_only
from tests.e2e.server import ROOT, is_there, wait_until

COLD_EVERY: Final = 10
"""Of so many starts one is `manage.py serve` from nothing; the others are forks that have imported
everything already, so that many kills fit into a minute."""
FROZEN_S: Final = (0.5, 3.0)
FULL_S: Final = (0.5, 2.5)


class Embedded(Product):
    """`manage.py serve`, as `make run` starts it."""

    def __init__(self, folder: Path, allow: str) -> None:
        super().__init__(folder, allow)
        self._cold: subprocess.Popen[bytes] | None = None
        self._forked = 0
        self._starts = 0
        self._may_mount = may_mount(folder)
        with (folder / "serve.log").open("ab") as log:
            self._nursery = subprocess.Popen(
                [sys.executable, "-m", "tests.e2e.nursery"],
                cwd=ROOT,
                env={**self.environ, "PORT": str(self.port)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
                text=True,
                bufsize=1,
            )

    def start(self) -> None:
        """Start the server and wait until it answers; remember how long a cold start took."""
        began = time.monotonic()
        cold = self._starts % COLD_EVERY == 0
        self._starts += 1
        if cold:
            self._cold = self.spawn("serve", "serve", "--port", str(self.port))
        else:
            self._forked = self._fork()
        self.wait_up()
        if cold:
            self.starts_s.append(time.monotonic() - began)

    def kill_one(self, chance: Random) -> str:
        """Kill the server and start it again."""
        self._kill()
        self.start()
        return "serve"

    def mishaps(self) -> Mapping[str, Mishap]:
        """Return what goes wrong with one process and its disk."""
        full = {"disk full": self._fill_disk} if hasattr(resource, "prlimit") else {}
        barred = {"disk read-only": self._bar_disk} if self._may_mount else {}
        struck = {"frozen": self._freeze, "told to end": self._tell_to_end, **full, **barred}
        return {**struck, "down as a minute ends": self._miss}

    def tend(self) -> None:
        """Nothing ends by itself."""

    def heal(self) -> None:
        """Nothing is away."""

    def close(self) -> None:
        """Kill the server and what starts it."""
        self._kill()
        self._nursery.kill()
        self._nursery.wait()
        for pipe in (self._nursery.stdin, self._nursery.stdout):
            assert pipe is not None
            pipe.close()

    @property
    def _server(self) -> int:
        return self._cold.pid if self._cold is not None else self._forked

    def _freeze(self, chance: Random) -> None:
        """Stop the process for a while, as a machine that sleeps does."""
        os.kill(self._server, signal.SIGSTOP)
        time.sleep(chance.uniform(*FROZEN_S))
        os.kill(self._server, signal.SIGCONT)

    def _tell_to_end(self, chance: Random) -> None:
        """Have the server end in good order, in the middle of what it does, and start it again.

        It may be killed while it still waits for calls under way, as by who has no patience.
        """
        os.kill(self._server, signal.SIGTERM)
        time.sleep(chance.uniform(*FROZEN_S))
        self._kill()
        self.start()

    def _miss(self, chance: Random) -> None:
        """Be away while the minute ends, if that is soon: a schedule is due then."""
        left = to_minutes_end()
        if left < SOON_S:
            self._kill()
            time.sleep(left + chance.random())
            self.start()

    def _fill_disk(self, chance: Random) -> None:
        """Refuse every write to a file for a while, by the limit of sizes of files."""
        _soft, hard = resource.prlimit(self._server, resource.RLIMIT_FSIZE)
        resource.prlimit(self._server, resource.RLIMIT_FSIZE, (0, hard))
        time.sleep(chance.uniform(*FULL_S))
        resource.prlimit(self._server, resource.RLIMIT_FSIZE, (hard, hard))

    def _bar_disk(self, chance: Random) -> None:
        """Come back to a folder that cannot be written: the server says so and ends; then it can."""
        self._kill()
        log = self.folder / "barred.log"
        with read_only(self.folder / "var"):
            code = self.spawn("barred", "serve", "--port", str(self.port)).wait(ANSWER_S)
        said = log.read_text().splitlines()[-1]
        assert code == 1, f"served from a disk that cannot be written: {code}, {said}"
        assert "cannot be written: Read-only file system" in said, said
        self.start()

    def _fork(self) -> int:
        assert self._nursery.stdin is not None
        assert self._nursery.stdout is not None
        self._nursery.stdin.write("serve\n")
        self._nursery.stdin.flush()
        return int(self._nursery.stdout.readline())

    def _kill(self) -> None:
        if self._cold is not None:
            end(self._cold)
        elif self._forked and is_there(self._forked, signal.SIGKILL):
            wait_until(lambda: not is_there(self._forked), "the end of a killed server")
        self._cold, self._forked = None, 0
