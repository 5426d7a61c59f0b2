"""`manage.py reset_second_factor`: lets somebody in again who lost their second factor."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from builder.models import User
from builder.services.people.sign_in import factors


class Command(BaseCommand):
    """Takes every second factor off an account; it is told in the audit logs of their workspaces."""

    help = "Remove the second factors of an account, and sign it out everywhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare whose."""
        parser.add_argument("email")

    def handle(self, *args: Any, **options: Any) -> None:
        """Remove them, and say how many there were."""
        user = User.objects.filter(email=str(options["email"]).strip().lower()).first()
        if user is None:
            raise CommandError(f"nobody has the address {options['email']!r}")
        removed = factors.remove_all(user)
        self.stdout.write(
            f"{removed} taken off. {user.email} signs in with the password alone until they set up"
            " another; manage.py changepassword sets a new password."
        )
