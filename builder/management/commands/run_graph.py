"""`manage.py run_graph`: the engine's command; only `--store database` touches the database."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import TextIO

from builder.management.engine_command import EngineCommand
from engine.cli.run_graph import Opened, flags, main
from engine.core.ports import Clock, Feed, GraphSource


def _store(clock: Clock, graphs: GraphSource, feed: Feed) -> AbstractAsyncContextManager[Opened]:
    """Open the project's store; imported late, because most runs never need it."""
    from builder.process.command_store import open_store

    return open_store(clock, graphs, feed)


class Command(EngineCommand):
    """Runs a document."""

    help = flags().description or ""
    flags = flags

    def status(
        self, argv: Sequence[str], stdout: TextIO | None = None, stderr: TextIO | None = None
    ) -> int:
        """Return 0 completed, 3 waiting, 1 failed, 2 unusable."""
        return main(argv, stdout, stderr, _store)
