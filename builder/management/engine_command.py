"""Commands of the engine as management commands: same flags, same output, same exit status."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TextIO, cast

from django.core.management.base import BaseCommand, CommandParser

from engine.cli.files import Flags


class EngineCommand(BaseCommand, ABC):
    """Hands its arguments over unchanged; `call_command` takes the flags by name too."""

    requires_system_checks = ()
    flags: ClassVar[Callable[[], Flags]]

    @abstractmethod
    def status(
        self, argv: Sequence[str], stdout: TextIO | None = None, stderr: TextIO | None = None
    ) -> int:
        """Run the engine's command and return its exit status."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Return a parser with the engine's flags beside those of every command."""
        kwargs |= {"parents": [type(self).flags()], "conflict_handler": "resolve"}
        return super().create_parser(prog_name, subcommand, **kwargs)

    def run_from_argv(self, argv: list[str]) -> None:
        """Run the command and leave with its exit status."""
        sys.exit(self.status(argv[2:]))

    def handle(self, *args: str, **options: Any) -> None:
        """Run the command for `call_command`; leave with its exit status if it is not 0."""
        streams = cast(TextIO, self.stdout), cast(TextIO, self.stderr)
        status = self.status(self._argv(options), *streams)
        if status:
            sys.exit(status)

    def _argv(self, options: dict[str, Any]) -> list[str]:
        """Return the engine's flags among parsed options as they are written."""
        argv = [str(options["file"])]
        for name, default in vars(type(self).flags().parse_args(["-"])).items():
            value = options[name]
            if name != "file" and value != default:
                values = value if isinstance(value, (list, tuple)) else [value]
                argv += [f"--{name.replace('_', '-')}={one}" for one in values]
        return argv
