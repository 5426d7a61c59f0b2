"""`manage.py shrink`: lets an older SQLite file give the room of deleted runs back to the disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from builder.process.process_lock import AlreadyServed, exclusive
from builder.services.runs.retention import shrinking


class Command(BaseCommand):
    """Rebuilds the database file."""

    help = (
        "Write the SQLite file anew, so that it shrinks from now on. No server may run meanwhile."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild the file and say how large it is."""
        if connection.vendor != "sqlite":
            raise CommandError("PostgreSQL does this itself (autovacuum): there is nothing to do")
        try:
            with exclusive(Path(settings.VAR_DIR)):
                before, after = shrinking.rebuild()
        except AlreadyServed as error:
            raise CommandError(f"{error}: stop it first") from error
        self.stdout.write(f"The file had {before} bytes and has {after}; it shrinks by itself now.")
