"""`manage.py check_graph`: the engine's command, as it stands; it needs no database."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from engine.commands.check_graph import flags, main


class Command(BaseCommand):
    """Hands its arguments over unchanged."""

    help = flags().description or ""
    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        """Run the command and leave with its exit status."""
        sys.exit(main(argv[2:]))

    def handle(self, *args: str, **options: Any) -> None:
        """Run the command for `call_command`; leave with its exit status if it is not 0."""
        status = main(list(args))
        if status:
            sys.exit(status)
