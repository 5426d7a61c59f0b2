"""Executes runs on a PostgreSQL that web processes and other workers share."""

from __future__ import annotations

import gc
import sys
import threading
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from builder.base.database_trouble import trouble_of
from builder.management.commands.serve import (
    EXIT_LOCKED,
    collect_seldom,
    leave,
    on_signals,
    overtaken,
)
from builder.process.process_lock import AlreadyServed

AGAIN_SECONDS: Final = 1.0


class Command(BaseCommand):
    """`python manage.py worker`."""

    help = "Execute runs that `manage.py web` begins; start as many as there are cores."

    def handle(self, *args: Any, **options: Any) -> None:
        """Execute runs until interrupted; a database that is away is waited for.

        Calls under way are waited for, unless a second signal comes.
        Exits 2 where `manage.py serve` has the database to itself.
        """
        from builder.process.apart.joining import NeedsPostgres

        gc.enable()  # a database may be away for long
        ended = threading.Event()

        def end() -> None:
            on_signals(leave)
            ended.set()

        on_signals(end)
        try:
            while not ended.is_set() and not self._worked(ended):
                ended.wait(AGAIN_SECONDS)
        except AlreadyServed as error:
            self.stderr.write(str(error))
            sys.exit(EXIT_LOCKED)
        except NeedsPostgres as error:
            raise CommandError(str(error)) from error
        leave()

    def _worked(self, ended: threading.Event) -> bool:
        """Work until interrupted; False where the database is away."""
        from builder.process.apart.joining import among_others, migrate_in_turn
        from builder.process.apart.roles import executing_runs

        try:
            with among_others(overtaken):
                migrate_in_turn()
                collect_seldom()
                with executing_runs():
                    self.stdout.write("a worker executes runs")
                    self.stdout.flush()
                    ended.wait()
        except Exception as error:
            trouble = trouble_of(error)
            if trouble is None:
                raise
            self.stderr.write(f"the database cannot be used: {trouble.message}")
            return False
        return True
