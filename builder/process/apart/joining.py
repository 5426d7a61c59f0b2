"""Taking part: one of several processes of one PostgreSQL, on tables that are up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.db import connection

from builder.adapters.egress import scaled
from builder.process.advisory_lock import AMONG_OTHERS, MIGRATION_KEY, sole_server
from builder.process.process_lock import AlreadyServed
from builder.process.runner import dialect


class NeedsPostgres(RuntimeError):
    """The database is one that a single process has to itself; the message says the cure."""


@contextmanager
def among_others(on_loss: Callable[[AlreadyServed], None]) -> Iterator[None]:
    """Share the database with web and worker processes while the block lasts.

    Raises `NeedsPostgres`, and `AlreadyServed` where `manage.py serve` has it to itself.
    """
    if connection.vendor != "postgresql":
        raise NeedsPostgres(
            "several processes need PostgreSQL: name it in DATABASE_URL, or start one process with "
            "`manage.py serve`"
        )
    with sole_server(dialect().connect, on_loss, AMONG_OTHERS), scaled():
        yield


def migrate_in_turn() -> None:
    """Bring the tables up to date; processes that begin together do so one after the other."""
    turn = dialect().connect()
    try:
        turn.execute("SELECT pg_advisory_lock(%s)", (MIGRATION_KEY,))
        call_command("migrate", verbosity=0, interactive=False)
    finally:
        turn.close()
