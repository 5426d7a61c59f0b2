"""Real PostgreSQL servers for tests, started from a wheel on free loopback ports.

`TEST_DATABASE_URL` names a server that is used instead. Each started server lives in its own
temporary folder and ends with the test session, or with the process that started it if that is
killed. PostgreSQL refuses to run as root: then it runs as `nobody`.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

from builder.process.up.account import Account, unprivileged
from builder.process.up.binaries import run, usable_binaries
from builder.process.up.programs import spawn

START_TIMEOUT_S = 30
FAST_POSTGRES = {
    "fsync": "off",  # the folder is thrown away; a killed server still recovers, a lost disk is moot
    "full_page_writes": "off",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "jit": "off",
}


class ServerFailed(RuntimeError):
    """A server ended or did not answer in time; the message has the tail of its log."""


def free_port() -> int:
    """Return a loopback port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(
    command: list[str], account: Account, folder: Path, answers: Callable[[], bool]
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server until the block ends. Raises `ServerFailed` when it does not answer in time."""
    log_path = folder / "server.log"
    with log_path.open("wb") as log:
        process = spawn(command, account, folder, log)
        try:
            _wait_for(process, answers, log_path)
            yield process
        finally:
            process.send_signal(signal.SIGINT)  # PostgreSQL: fast shutdown
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_for(
    process: subprocess.Popen[bytes], answers: Callable[[], bool], log_path: Path
) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not answers():
        if process.poll() is not None or time.monotonic() > deadline:
            tail = log_path.read_text(errors="replace")[-2000:]
            raise ServerFailed(f"{process.args!r} did not come up:\n{tail}")
        time.sleep(0.03)


@contextmanager
def _folder(account: Account, prefix: str) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        account.own(folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgres_server(options: dict[str, str] | None = None) -> Iterator[str]:
    """Run a fresh PostgreSQL 18 and give the URL of its `postgres` database (a superuser's)."""
    account = unprivileged()
    with _folder(account, "gw-pg-") as folder:
        bin_folder = usable_binaries(account, folder)
        data = folder / "data"
        initdb = [str(bin_folder / "initdb"), "-D", str(data), "-U", "graphwright", "-A", "trust"]
        run([*initdb, "--no-sync", "-E", "UTF8", "--locale=C"], account, folder)
        port = free_port()
        url = f"postgresql://graphwright@127.0.0.1:{port}/postgres"
        settings = FAST_POSTGRES | (options or {})
        command = [str(bin_folder / "postgres"), "-D", str(data), "-p", str(port)]
        command += ["-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}"]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        with running(command, account, folder, lambda: _postgres_answers(url)):
            yield url


def _postgres_answers(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


@contextmanager
def fresh_database(server_url: str) -> Iterator[str]:
    """Create an empty database on the server, give its URL, and drop it at the end."""
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))
    finally:
        with psycopg.connect(server_url, autocommit=True) as admin:
            admin.execute(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            )


@pytest.fixture(scope="session")
def postgres_server_url() -> Iterator[str]:
    """URL of a PostgreSQL server's maintenance database; one server a test process."""
    given = os.environ.get("TEST_DATABASE_URL")
    if given:
        yield given
        return
    with postgres_server() as url:
        yield url


@pytest.fixture
def postgres_url(postgres_server_url: str) -> Iterator[str]:
    """URL of an empty PostgreSQL database of this test's own."""
    with fresh_database(postgres_server_url) as url:
        yield url
