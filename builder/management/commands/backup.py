"""`manage.py backup FILE`: everything of this installation in one file, while it is served."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from builder.base.errors import BackupError
from builder.services import backups


class Command(BaseCommand):
    """Backs up."""

    help = "Write database and keys into one file. A server may go on meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare where to."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Back up and say what of."""
        target: Path = options["file"]
        try:
            manifest = backups.back_up(target)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        size = target.stat().st_size
        self.stdout.write(f"Wrote {target}: {size} bytes, with {', '.join(manifest.files)}.")
        self.stdout.write("Whoever has this file has the keys: keep it where only you can read it.")
        for name in manifest.missing_keys:
            self.stdout.write(
                f"Not in it: {name}, which is given by the environment. Keep that too."
            )
