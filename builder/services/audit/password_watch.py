"""A changed password, told in the audit logs."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from builder.services.audit.account_entries import record


class PasswordWatch:
    """A password validator that refuses nothing, and hears of every password that is changed."""

    def validate(self, password: str, user: Any = None) -> None:
        """Refuse nothing."""

    def get_help_text(self) -> str:
        """Return nothing: it asks for nothing."""
        return ""

    def password_changed(self, password: str, user: Any = None) -> None:
        """Enter that the account has another password; Django calls this after it was saved."""
        if user is not None and user.pk:
            with transaction.atomic():
                record(user.pk, None, "password.changed")
