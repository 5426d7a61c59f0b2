"""Rows of Django admin under the names that people know, looked up for all rows of a page at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from builder.models import Interrupt, Run, User
from builder.reads.audited.items import called_items
from builder.reads.audited.names import called_runs

GONE: Final = "a run that is gone"


class Titled:
    """A row in the heading of its page, under the name that it is called by there."""

    def __init__(self, row: Any, title: str) -> None:
        self._row = row
        self._title = title

    def __str__(self) -> str:
        return self._title

    def __getattr__(self, name: str) -> Any:
        return getattr(self._row, name)


class Called(ModelAdmin):  # type: ignore[misc]
    """A page whose rows have names, in the list and above the page of one; another base stands after it."""

    def name_rows(self, rows: Sequence[Any]) -> None:
        """Set `called` of rows, in a number of queries that does not grow with them."""
        raise NotImplementedError

    def title(self, row: Any) -> str:
        """Return what stands above the page of a row."""
        return str(row.called)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Return the list with the names of its rows."""
        listed = super().get_changelist_instance(request)
        listed.result_list = list(listed.result_list)
        self.name_rows(listed.result_list)
        return listed

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> Any:
        """Return a row with its name."""
        row = super().get_object(request, object_id, from_field)
        if row is not None:
            self.name_rows([row])
        return row

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **more: Any
    ) -> Any:
        """Put the row's name above its page."""
        row = context.get("original")
        if row is not None:
            title = self.title(row)
            context = {**context, "original": Titled(row, title), "subtitle": title}
        return super().render_change_form(request, context, *args, **more)


class OfRun(Called):
    """Rows of runs: `called` by the run's name."""

    def name_rows(self, rows: Sequence[Any]) -> None:
        """Set the names of the runs that rows are of."""
        names = run_names({row.run for row in rows})
        for row in rows:
            row.called = names.get(row.run, GONE)


def called_column(label: str, name: str = "called") -> Any:
    """Return a column that shows a name of the row."""

    @admin.display(description=label)
    def shown(row: Any) -> str:
        return str(getattr(row, name))

    return shown


def run_names(ids: Collection[str]) -> dict[str, str]:
    """Return what runs are called, by their ids; those that are gone are left out."""
    return called_runs(Run.objects.filter(pk__in=ids))


def item_names(items: Iterable[Interrupt]) -> dict[str, str]:
    """Return what items of inboxes are called, by their ids: as they ask, else by their step."""
    return called_items([item.pk for item in items])


def people_names(ids: Collection[str]) -> dict[str, str]:
    """Return what people are called, by their ids."""
    return {user.pk: str(user) for user in User.objects.filter(pk__in=ids)}
