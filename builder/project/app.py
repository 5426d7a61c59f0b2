"""The one Django app."""

from __future__ import annotations

from django.apps import AppConfig

from builder.process.optional_libraries import left_out

with left_out("requests", "pygments", "django.contrib.postgres.fields"):
    import rest_framework.compat  # noqa: F401  (both look for what there is when they are loaded)
    import unfold.overrides  # noqa: F401


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
