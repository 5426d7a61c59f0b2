"""Runs everything in one process: takes the lock, migrates, starts the engine, serves."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from socket import socket
from typing import Any, Final, NoReturn

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from builder.base import address
from builder.base.database_trouble import trouble_of
from builder.process.process_lock import AlreadyServed, exclusive
from builder.services.people import accounts
from builder.services.people.sign_in import gate
from builder.services.runs.retention import pruning

EXIT_CANNOT_LISTEN: Final = 1
EXIT_LOCKED: Final = 2
EXIT_NO_DATABASE: Final = 3
GARBAGE_AT: Final = 10_000
SWITCH_S: Final = 0.001
"""How long a thread that works keeps the interpreter from one that wants it. A request asks for it
some ten times: with the usual 5 ms, one large check beside it makes each request 50 ms slower."""


class Command(BaseCommand):
    """`python manage.py serve`."""

    help = "Serve pages, API and engine in one process, on the database in var/."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare where to listen."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=settings.PORT)

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until interrupted.

        Exits 1 if it cannot listen, 2 if another process serves this, 3 without a database.
        """
        from builder.process.server import CannotListen, opened

        try:
            with (
                self.folder(),
                opened(options["host"], options["port"], share=options.get("share", False)) as at,
                self.database(),
            ):
                self._serve(options["host"], at, announce=options["verbosity"] > 0)
        except AlreadyServed as error:
            self.stderr.write(str(error))
            sys.exit(EXIT_LOCKED)
        except CannotListen as error:
            self.stderr.write(str(error))
            sys.exit(EXIT_CANNOT_LISTEN)
        except Exception as error:
            trouble = trouble_of(error)
            if trouble is None:
                raise
            self.stderr.write(f"the database cannot be used: {trouble.message}")
            sys.exit(EXIT_NO_DATABASE)
        leave()

    def folder(self) -> AbstractContextManager[object]:
        """Hold the folder with keys and database for this process. Raises `AlreadyServed`."""
        return exclusive(Path(settings.VAR_DIR))

    def database(self) -> AbstractContextManager[object]:
        """Hold the database for this process. Raises `AlreadyServed`."""
        from builder.process.runner import sole

        return sole(overtaken)

    def migrate(self) -> None:
        """Bring the tables up to date."""
        call_command("migrate", verbosity=0, interactive=False)

    @contextmanager
    def engine(self) -> Iterator[None]:
        """Have an engine behind the pages while the block lasts."""
        from builder.process.engine_thread import embedded

        with embedded(), pruning.regularly():
            yield

    def _serve(self, host: str, listening: socket, *, announce: bool) -> None:
        port = int(listening.getsockname()[1])
        address.served_at(port)
        gc.enable()  # a first start makes much of it: the history of the tables
        self.migrate()
        collect_seldom()
        sys.setswitchinterval(SWITCH_S)
        with self.engine():
            if announce:
                self._announce(host, port)
            listen(listening)
            on_signals(leave)

    def _announce(self, host: str, port: int) -> None:
        shown = "localhost" if host in ("127.0.0.1", "::1", "0.0.0.0") else host  # noqa: S104
        self.stdout.write(f"Graphwright is at {settings.SCHEME}://{shown}:{port}/")
        if accounts.needs_setup():
            self.stdout.write(f"From another machine, set up with the code {gate.setup_code()}")
        else:
            gate.forget_setup_code()
        self.stdout.flush()


def collect_seldom() -> None:
    """Let the garbage collector look at ten thousand new objects at a time, not at 700.

    What a run keeps lives until it ends, so that most looks find nothing: they were half of what a
    child of a wide map cost. What is loaded by now stays, and is not looked at again. Whole looks
    come sooner than usual: what a socket leaves behind is in circles, and five hundred that come and
    go grew the process by 200 MB a minute before they were found. Python itself leaves them out
    where little is new.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_AT, 5, 2)


def overtaken(error: AlreadyServed) -> None:
    """End the process at once: while the database was away another server took it."""
    logging.getLogger("graphwright.engine").critical("%s", error)
    os._exit(EXIT_LOCKED)


def on_signals(do: Callable[[], object]) -> None:
    """Do this at SIGTERM and at SIGINT from now on."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: do())


def leave() -> NoReturn:
    """End the process at once: a thread inside a tool cannot be stopped and is not waited for.

    Everything acknowledged is committed; what a tool did not finish is taken over at the next start.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def listen(listening: socket) -> None:
    """Run the web server on this thread until it is interrupted."""
    from builder.process.server import WebServer
    from builder.project.asgi import application_for

    WebServer(application_for(settings.ORIGINS), listening).run()
