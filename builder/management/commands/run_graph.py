"""`manage.py run_graph`: the engine's command; only `--store database` touches the database."""

from __future__ import annotations

import sys
from contextlib import AbstractAsyncContextManager
from typing import Any

from django.core.management.base import BaseCommand

from engine.commands.run_graph import Opened, flags, main
from engine.ports import Clock, Feed, GraphSource


def _store(clock: Clock, graphs: GraphSource, feed: Feed) -> AbstractAsyncContextManager[Opened]:
    """Open the project's store; imported late, because most runs never need it."""
    from builder.adapters.command_store import open_store

    return open_store(clock, graphs, feed)


class Command(BaseCommand):
    """Hands its arguments over unchanged."""

    help = flags().description or ""
    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        """Run the command and leave with its exit status."""
        sys.exit(main(argv[2:], store_factory=_store))

    def handle(self, *args: str, **options: Any) -> None:
        """Run the command for `call_command`; leave with its exit status if it is not 0."""
        status = main(list(args), store_factory=_store)
        if status:
            sys.exit(status)
