"""`manage.py restore FILE`: what `backup` wrote, in the place of an empty folder."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from builder.base.errors import BackupError
from builder.process.process_lock import AlreadyServed, exclusive
from builder.services import backups


class Command(BaseCommand):
    """Restores."""

    help = "Make this installation what a backup has. No server may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what from, and whether what is there may go."""
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--force", action="store_true", help="replace what is there; files are kept aside"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore and say what is next."""
        try:
            with exclusive(Path(settings.VAR_DIR)):
                manifest = backups.restore(options["file"].resolve(), force=options["force"])
        except AlreadyServed as error:
            raise CommandError(f"{error}: stop it first") from error
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Restored what was backed up at {manifest.made_at} by version {manifest.version}."
        )
        self.stdout.write("Start with: manage.py serve")
