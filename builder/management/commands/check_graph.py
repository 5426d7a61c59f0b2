"""`manage.py check_graph`: the engine's command, as it stands; it needs no database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from builder.management.engine_command import EngineCommand
from engine.cli.check_graph import flags, main


class Command(EngineCommand):
    """Finds everything wrong with a document."""

    help = flags().description or ""
    flags = flags

    def status(
        self, argv: Sequence[str], stdout: TextIO | None = None, stderr: TextIO | None = None
    ) -> int:
        """Return 0 without errors, 1 with, 2 if the document cannot be read."""
        return main(argv, stdout, stderr)
