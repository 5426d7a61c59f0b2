"""Tables of Django admin that are for reading, and how they show amounts and moments."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from engine.core.budgets.money import usd
from engine.core.state.events import iso


class ReadOnlyAdmin(ModelAdmin):  # type: ignore[misc]
    """Shows rows that only the engine or a service writes."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody adds rows here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes rows here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody removes rows here."""
        return False


def usd_column(column: str, label: str) -> Any:
    """Return a column that shows an amount of pico-dollars."""

    @admin.display(description=label, ordering=column)
    def shown(row: models.Model) -> str:
        pico = getattr(row, column)
        return "no limit" if pico is None else f"{usd(pico)} USD"

    return shown


def time_column(column: str, label: str) -> Any:
    """Return a column that shows a moment."""

    @admin.display(description=label, ordering=column)
    def shown(row: models.Model) -> str:
        ms = getattr(row, column)
        return "" if ms is None else iso(ms)

    return shown
