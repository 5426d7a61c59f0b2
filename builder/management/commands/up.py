"""Starts a whole installation on this machine: PostgreSQL, web processes and workers."""

from __future__ import annotations

import os
import signal
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from builder.process.process_lock import AlreadyServed, exclusive
from builder.process.up.binaries import NoPostgres
from builder.process.up.children import Child, end_all, keep_all
from builder.process.up.postgres import kept_postgres

MOST: Final = 64


class Command(BaseCommand):
    """`python manage.py up`."""

    help = "Run PostgreSQL, web processes and workers on this machine; Ctrl+C ends all of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare how many of which, and where."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=settings.PORT)
        parser.add_argument("--web", type=int, default=2, help="how many serve people")
        parser.add_argument("--workers", type=int, default=2, help="how many execute runs")
        parser.add_argument("--data", type=Path, help="the folder of PostgreSQL's data")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run everything until interrupted.

        Raises `CommandError` where something cannot begin: it says what, and the cure.
        """
        from builder.process.server import CannotListen, opened

        for name in ("web", "workers"):
            if not 1 <= options[name] <= MOST:
                raise CommandError(f"--{name} is a number from 1 to {MOST}")
        ended = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: ended.set())
        try:
            with exclusive(Path(settings.VAR_DIR)):
                opened(options["host"], options["port"]).close()  # others may not share the port
                with self._database(options["data"]) as url:
                    self._keep(url, options, ended)
        except (AlreadyServed, CannotListen, NoPostgres) as error:
            raise CommandError(str(error)) from error

    @contextmanager
    def _database(self, data: Path | None) -> Iterator[str]:
        """Have a PostgreSQL while the block lasts: the one that is named, else one of our own."""
        if settings.DATABASE_URL:
            yield settings.DATABASE_URL
            return
        with kept_postgres(data or own_folder()) as url:
            yield url

    def _keep(self, url: str, options: dict[str, Any], ended: threading.Event) -> None:
        environ = {**os.environ, "DATABASE_URL": url, "PYTHONUNBUFFERED": "1"}
        at = ["--host", options["host"], "--port", str(options["port"]), "--share"]

        def child(kind: str, number: int, *arguments: str) -> Child:
            command = [sys.executable, "manage.py", kind, *arguments]
            return Child(f"{kind}.{number}", command, environ, sys.stdout)

        quiet = ("--verbosity", "0")
        web = [child("web", n + 1, *at, *(quiet if n else ())) for n in range(options["web"])]
        workers = [child("worker", n + 1) for n in range(options["workers"])]
        try:
            keep_all([*web, *workers], ended)
        finally:
            self.stdout.write("ending: workers leave their runs, then the pages close")
            self.stdout.flush()
            end_all([workers, web])


def own_folder() -> Path:
    """Return where PostgreSQL's data are kept: in the product's folder.

    For root, whose folders the account of the database may not enter, among what the system keeps.
    """
    var = Path(settings.VAR_DIR).resolve()
    if os.geteuid() != 0:
        return var / "postgres"
    return Path("/var/lib") / f"graphwright-{sha256(str(var).encode()).hexdigest()[:8]}"
