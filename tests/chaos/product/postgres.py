"""A PostgreSQL of the kit's own on one port, that can be killed, restarted, and cut off."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import psycopg

from builder.process.up.account import unprivileged
from builder.process.up.binaries import run, usable_binaries
from builder.process.up.programs import spawn
from tests.e2e.server import is_there
from tests.services import FAST_POSTGRES, free_port

START_S: Final = 60
CUT: Final = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"


class Postgres:
    """One server on a folder that the account which runs it may enter."""

    def __init__(self) -> None:
        self._account = unprivileged()
        self._folder = Path(tempfile.mkdtemp(prefix="gw-chaos-pg-"))
        self._account.own(self._folder)
        self._programs = usable_binaries(self._account, self._folder)
        self._port = free_port()
        self.url = f"postgresql://graphwright@127.0.0.1:{self._port}/postgres"
        initdb = [str(self._programs / "initdb"), "-D", str(self._data), "-U", "graphwright"]
        options = ["-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]
        run([*initdb, *options], self._account, self._folder)
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def start(self) -> None:
        """Start the server and return once it answers; what a killed one left is waited for."""
        command = [str(self._programs / "postgres"), "-D", str(self._data), "-p", str(self._port)]
        command += ["-c", f"unix_socket_directories={self._folder}"]
        for name, value in {**FAST_POSTGRES, "listen_addresses": "127.0.0.1"}.items():
            command += ["-c", f"{name}={value}"]
        until = time.monotonic() + START_S
        while not self._answers():
            assert time.monotonic() < until, (self._folder / "server.log").read_text()[-2000:]
            if self._server is None or self._server.poll() is not None:
                with (self._folder / "server.log").open("ab") as log:
                    self._server = spawn(command, self._account, self._folder, log)
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill the server, without any warning, and start it again."""
        assert self._server is not None
        self._server.kill()
        self._server.wait()
        self.start()

    def restart(self, _chance: Random) -> None:
        """End the server in good order, and start it again."""
        assert self._server is not None
        self._server.send_signal(signal.SIGINT)
        self._server.wait(START_S)
        self.start()

    def kill_child(self, chance: Random) -> None:
        """Kill one of its processes: it ends all connections then, and recovers from its log."""
        with suppress(psycopg.OperationalError), psycopg.connect(self.url) as connection:
            found = connection.execute("SELECT pid FROM pg_stat_activity ORDER BY pid").fetchall()
            is_there(chance.choice(found)[0], signal.SIGKILL)
        self.start()

    def cut(self, _chance: Random) -> None:
        """Cut every connection."""
        with suppress(psycopg.OperationalError), psycopg.connect(self.url) as connection:
            connection.execute(CUT)

    def close(self) -> None:
        """End the server and remove its data."""
        if self._server is not None and self._server.poll() is None:
            os.kill(self._server.pid, signal.SIGINT)
            self._server.wait(START_S)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True
