"""The product in processes that share a PostgreSQL: two that serve people, two that execute runs."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final

from tests.chaos.product import SOON_S, Mishap, Product, end, to_minutes_end
from tests.chaos.product.postgres import Postgres

WEB: Final = ("web.1", "web.2")
WORKERS: Final = ("worker.1", "worker.2")
POSTGRES: Final = "postgres"
WEIGHTS: Final = {**dict.fromkeys(WEB, 15), **dict.fromkeys(WORKERS, 30), POSTGRES: 10}
LEASE_S: Final = 20
ZOMBIE_S: Final = (LEASE_S + 2, LEASE_S + 5)
"""A worker sleeps so long that others have taken its runs when it wakes."""
FROZEN_S: Final = (0.5, 3.0)


class Scaled(Product):
    """The processes that `make up` keeps, each of which this keeps as that does."""

    def __init__(self, folder: Path, allow: str) -> None:
        super().__init__(folder, allow)
        self._postgres = Postgres()
        self.environ["DATABASE_URL"] = self._postgres.url
        self._there: dict[str, subprocess.Popen[bytes]] = {}
        self._asleep: dict[str, float] = {}

    def start(self) -> None:
        """Start the database, one web process that makes the tables, and then the others."""
        self._postgres.start()
        self._begin(WEB[0])
        self.wait_up()
        for name in (*WEB[1:], *WORKERS):
            self._begin(name)

    def kill_one(self, chance: Random) -> str:
        """Kill a process and start it again, without waiting until it works."""
        name = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        if name == POSTGRES:
            self._postgres.kill()
        else:
            self._asleep.pop(name, None)
            end(self._there[name])
            self._begin(name)
        self.tend()
        return name.partition(".")[0]

    def mishaps(self) -> Mapping[str, Mishap]:
        """Return what goes wrong between the processes."""
        return {
            "worker slept past its lease": self._put_to_sleep,
            "told to end": self._tell_to_end,
            "web frozen": self._freeze,
            "no worker as a minute ends": self._miss,
            "postgres restarted": self._postgres.restart,
            "a process of postgres killed": self._postgres.kill_child,
            "connections to postgres cut": self._postgres.cut,
        }

    def tend(self) -> None:
        """Start what ended by itself, and wake who slept for long enough."""
        for name, process in list(self._there.items()):
            if process.poll() is not None:
                self._begin(name)
        for name, until in list(self._asleep.items()):
            if time.monotonic() > until:
                self._wake(name)

    def heal(self) -> None:
        """Let who sleeps sleep on past the lease, wake them, and have everything there."""
        for name, until in list(self._asleep.items()):
            time.sleep(max(0.0, until - time.monotonic()))
            self._wake(name)
        self.tend()
        self.wait_up()

    def close(self) -> None:
        """Kill all processes."""
        for process in self._there.values():
            end(process)
        self._postgres.close()

    def _begin(self, name: str) -> None:
        kind = name.partition(".")[0]
        at = ("--port", str(self.port), "--share") if kind == "web" else ()
        self._there[name] = self.spawn(name, kind, *at)

    def _put_to_sleep(self, chance: Random) -> None:
        if not self._asleep:
            name = chance.choice(WORKERS)
            self._there[name].send_signal(signal.SIGSTOP)
            self._asleep[name] = time.monotonic() + chance.uniform(*ZOMBIE_S)

    def _tell_to_end(self, chance: Random) -> None:
        """Have a process end in good order, in the middle of what it does; `tend` starts another."""
        name = chance.choice((*WEB, *WORKERS))
        if name not in self._asleep:
            self._there[name].send_signal(signal.SIGTERM)

    def _miss(self, chance: Random) -> None:
        """Have no worker while the minute ends, if that is soon: a schedule is due then."""
        left = to_minutes_end()
        if left < SOON_S:
            for name in WORKERS:
                self._asleep.pop(name, None)
                end(self._there[name])
            time.sleep(left + chance.random())
            self.tend()

    def _wake(self, name: str) -> None:
        del self._asleep[name]
        self._there[name].send_signal(signal.SIGCONT)

    def _freeze(self, chance: Random) -> None:
        """Stop a web process for a while."""
        process = self._there[chance.choice(WEB)]
        process.send_signal(signal.SIGSTOP)
        time.sleep(chance.uniform(*FROZEN_S))
        process.send_signal(signal.SIGCONT)
