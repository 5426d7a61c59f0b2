"""Serves pages, API and sockets; workers on the same PostgreSQL execute the runs."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from django.core.management.base import CommandError

from builder.management.commands import serve


class Command(serve.Command):
    """`python manage.py web`."""

    help = "Serve pages, API and sockets on a PostgreSQL that others share; see `manage.py worker`."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare where to listen, and whether with others."""
        super().add_arguments(parser)
        parser.add_argument(
            "--share", action="store_true", help="let other processes serve the same port as well"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until interrupted; exits as `serve` does."""
        from builder.process.apart.joining import NeedsPostgres

        try:
            super().handle(*args, **options)
        except NeedsPostgres as error:
            raise CommandError(str(error)) from error

    def folder(self) -> AbstractContextManager[object]:
        """Hold nothing: other processes use the keys in the folder as well."""
        return nullcontext()

    def database(self) -> AbstractContextManager[object]:
        """Share the database. Raises `AlreadyServed`, `NeedsPostgres`."""
        from builder.process.apart.joining import among_others

        return among_others(serve.overtaken)

    def migrate(self) -> None:
        """Bring the tables up to date, one process after the other."""
        from builder.process.apart.joining import migrate_in_turn

        migrate_in_turn()

    @contextmanager
    def engine(self) -> Iterator[None]:
        """Have the door to the workers while the block lasts."""
        from builder.process.apart.roles import serving_people

        with serving_people():
            yield
