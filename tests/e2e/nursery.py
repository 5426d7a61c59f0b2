"""Starts servers quickly: everything is imported once, each server is a fork that runs a command.

Reads the name of a command, `serve`, `web` or `worker`, and the options that are set, for each process
to start and answers with its process id.
"""

from __future__ import annotations

import os
import signal
import sys

import django
from django.core.management import call_command


def prepare() -> None:
    """Import all that servers need."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "builder.project.settings"
    django.setup()
    import daphne.server  # noqa: F401

    import builder.process.apart.roles
    import builder.process.engine_thread
    import builder.project.urls  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def bear(line: str) -> int:
    """Fork a process that runs a command with its options; return its id."""
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        command, *given = line.split()
        options = {} if command == "worker" else {"port": int(os.environ["PORT"])}
        call_command(command, **options, **dict.fromkeys(given, True))
        os._exit(0)  # what forks servers goes on in the parent alone
    return child


def main() -> None:
    """Fork servers until the input ends."""
    prepare()
    for line in sys.stdin:
        print(bear(line), flush=True)  # noqa: T201 - the id is this program's output


if __name__ == "__main__":
    main()
