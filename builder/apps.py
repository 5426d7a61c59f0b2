"""The one Django app."""

from __future__ import annotations

from django.apps import AppConfig


class BuilderConfig(AppConfig):
    """Workspaces, graphs, runs and the inbox."""

    name = "builder"
    verbose_name = "Graphwright"
    default_auto_field = "django.db.models.BigAutoField"
