"""`manage.py reset_sign_in`: lets passwords into a workspace again whose provider is broken."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from builder.models import Workspace
from builder.services.people.sign_in import ways


class Command(BaseCommand):
    """Sets a workspace's rule for signing in back; told in its audit log."""

    help = "Let a password be enough again to enter a workspace."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare which."""
        parser.add_argument("workspace", help="its slug")

    def handle(self, *args: Any, **options: Any) -> None:
        """Set it, and say so."""
        workspace = Workspace.objects.filter(slug=options["workspace"]).first()
        if workspace is None:
            raise CommandError(f"no workspace {options['workspace']!r}")
        ways.reset_rule(workspace)
        self.stdout.write(f"A password is enough again to enter {workspace.name}.")
