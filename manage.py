#!/usr/bin/env python
"""The command line of the project: `python manage.py serve` starts everything."""

from __future__ import annotations

import gc
import os
import sys

SERVING = ("serve", "web", "worker")
"""The commands that last; they say themselves when garbage is to be looked for."""


def engine_command(arguments: list[str]) -> int | None:
    """Run `run_graph` or `check_graph` where it needs no database; None for anything else.

    They answer four times as fast without loading the web side.
    """
    name, *rest = arguments or [""]
    if name == "check_graph":
        from engine.cli import check_graph

        return check_graph.main(rest)
    if name == "run_graph" and not any(argument.endswith("database") for argument in rest):
        from engine.cli import run_graph

        return run_graph.main(rest)
    return None


def main() -> None:
    """Run one management command; a setting that cannot be is told in one sentence, with exit 1."""
    status = engine_command(sys.argv[1:])
    if status is not None:
        sys.exit(status)
    if sys.argv[1:2] and sys.argv[1] in SERVING:
        gc.disable()  # what is imported stays: to look for garbage in it was a tenth of a start
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.project.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"{sys.argv[0]}: {error}")


if __name__ == "__main__":
    main()
