"""Tables of Django admin that are for reading, and how they show amounts and moments."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, ClassVar, Final

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.text import capfirst
from unfold.admin import ModelAdmin

from engine.core.budgets.money import usd
from engine.core.state.events import iso

COUNTS: Final = ("tokens", "calls", "unpriced", "count")
"""Ends of the names of columns that count."""


class ReadOnlyAdmin(ModelAdmin):  # type: ignore[misc]
    """Shows rows that only the engine or a service writes; `columns` are shown in place of fields."""

    columns: ClassVar[Mapping[str, Any]] = {}

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody adds rows here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes rows here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody removes rows here."""
        return False

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Show a row without *History*: that lists changes made here, and nobody makes any."""
        shown = {**(extra_context or {}), "show_history": False}
        return super().changeform_view(request, object_id, form_url, shown)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show moments and amounts of a row as the list does, not as the numbers that are kept."""
        return [self._shown(name) for name in super().get_fields(request, obj)]

    def _shown(self, name: Any) -> Any:
        if name in self.columns:
            return self.columns[name]
        kept = {field.name: field for field in self.model._meta.get_fields()}.get(name)
        if not isinstance(kept, models.BigIntegerField):
            return name
        label = capfirst(str(kept.verbose_name).removesuffix(" pico"))
        if name == "at" or name.endswith("_at"):
            return time_column(name, label)
        if name.endswith("pico"):
            return usd_column(name, label)
        return count_column(name, label) if name.endswith(COUNTS) else name


def usd_column(column: str, label: str) -> Any:
    """Return a column that shows an amount of pico-dollars."""

    @admin.display(description=label, ordering=column)
    def shown(row: models.Model) -> str:
        pico = getattr(row, column)
        return "no limit" if pico is None else one_line(f"{Decimal(usd(pico)):,f} USD")

    return shown


def count_column(column: str, label: str) -> Any:
    """Return a column that shows a large number with separators."""

    @admin.display(description=label, ordering=column)
    def shown(row: models.Model) -> str:
        count = getattr(row, column)
        if count is None:
            return "no limit" if column.startswith("limit") else ""
        return one_line(f"{count:,}")

    return shown


def time_column(column: str, label: str, *, fine: bool = True) -> Any:
    """Return a column that shows a moment; without `fine` to the second, where there is little room."""

    @admin.display(description=label, ordering=column)
    def shown(row: models.Model) -> str:
        ms = getattr(row, column)
        if ms is None or ms <= 0:  # 0 and -1 stand for no moment
            return ""
        return one_line(iso(ms) if fine else iso(ms)[:19].replace("T", " "))

    return shown


def one_line(text: str) -> str:
    """Return a text that a narrow column does not break."""
    return format_html('<span class="whitespace-nowrap">{}</span>', text)
