"""The one Django app."""

from __future__ import annotations

from django.apps import AppConfig


class BuilderConfig(AppConfig):
    """Workspaces, graphs, runs and the inbox."""

    name = "builder"
    verbose_name = "Graphwright"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let the audit log hear of sign-ins and second factors."""
        from builder.services.audit import sign_ins as sign_in_audit
        from builder.services.people.sign_in import factors

        sign_in_audit.listen()
        factors.listen()
