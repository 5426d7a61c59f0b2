"""A PostgreSQL of this installation's own: made at the first start, and kept."""

from __future__ import annotations

import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import psycopg

from builder.process.up.account import Account, unprivileged
from builder.process.up.binaries import NoPostgres, run, usable_binaries
from builder.process.up.programs import spawn

START_S: Final = 60.0
STOP_S: Final = 30.0
NAME: Final = "graphwright"
HELD: Final = "postmaster.pid"
"""What PostgreSQL names where another server still has the data."""
OPTIONS: Final = {"listen_addresses": "127.0.0.1", "max_connections": "200"}


@contextmanager
def kept_postgres(folder: Path) -> Iterator[str]:
    """Run the server whose data are in `folder` while the block lasts; yields its `DATABASE_URL`.

    It listens on a free port of this machine only, and wants a password that stands in the folder.
    Raises `NoPostgres`, with the end of the server's log where it did not begin.
    """
    account = unprivileged()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    account.own(folder)
    programs = usable_binaries(account, folder)
    password = _made(folder, programs, account)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    url = f"postgresql://{NAME}:{password}@127.0.0.1:{port}/postgres"
    command = [str(programs / "postgres"), "-D", str(folder / "data"), "-p", str(port)]
    for name, value in {**OPTIONS, "unix_socket_directories": str(folder)}.items():
        command += ["-c", f"{name}={value}"]
    server = _begun(command, url, account, folder)
    try:
        yield url
    finally:
        _end(server)


def _made(folder: Path, programs: Path, account: Account) -> str:
    """Make the data at the first start, whole or not at all; return the password."""
    secret = folder / "password"
    if not (folder / "data").exists():
        unready = folder / "data.unready"
        run(["rm", "-rf", str(unready)], account, folder)
        secret.write_text(secrets.token_urlsafe(24))
        secret.chmod(0o600)
        account.own(secret)
        command = [str(programs / "initdb"), "-D", str(unready), "-U", NAME, "-E", "UTF8"]
        command += ["--locale=C", "-A", "scram-sha-256", f"--pwfile={secret}"]
        run(command, account, folder)
        unready.rename(folder / "data")
    return secret.read_text()


def _begun(command: list[str], url: str, account: Account, folder: Path) -> subprocess.Popen[bytes]:
    """Start the server and return it once it answers.

    The one of a start that was killed may need a moment to end: its data are waited for.
    """
    until = time.monotonic() + START_S
    log = folder / "postgres.log"
    while True:
        with log.open("wb") as file:
            server = spawn(command, account, folder, file, told=signal.SIGINT)
        while server.poll() is None and time.monotonic() < until:
            with suppress(psycopg.OperationalError):
                psycopg.connect(url, connect_timeout=2).close()
                return server
            time.sleep(0.05)
        _end(server)
        tail = log.read_text(errors="replace")[-2000:]
        if HELD not in tail or time.monotonic() > until:
            raise NoPostgres(f"PostgreSQL did not begin; its log ends so:\n{tail}")
        time.sleep(0.2)


def _end(server: subprocess.Popen[bytes]) -> None:
    """Ask the server to end at once, and in good order."""
    server.send_signal(signal.SIGINT)
    try:
        server.wait(STOP_S)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
