"""What was allowed, held and spent, in Django admin; limits are set in `builder.admin.budgets`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.contrib import admin

from builder.admin.called import GONE, Called, OfRun, called_column, run_names
from builder.admin.read_only import ReadOnlyAdmin, count_column, usd_column
from builder.admin.words import named_column
from builder.models import Budget, BudgetHold, BudgetLimit, Spending, Trigger, TriggerSpending
from builder.reads.money.budget_words import budget_name

OF_RUNS = ("run", "node")
"""Levels of which a row's id goes on with the id of the run; of others with that of the limit."""


@admin.register(Budget)
class BudgetAdmin(Called, ReadOnlyAdmin):
    """What runs and nodes were allowed, have spent and hold."""

    list_display = (
        called_column("Budget"),
        "level",
        usd_column("limit_pico", "Limit"),
        usd_column("spent_pico", "Spent"),
        usd_column("held_pico", "Held"),
        usd_column("raised_pico", "Raised"),
    )
    list_filter = ("level", "workspace")

    def name_rows(self, rows: Sequence[Budget]) -> None:
        """Set whose budgets rows are: of which run or step, or of what in which period."""
        ids = {row.pk.split(":")[1] for row in rows if ":" in row.pk}
        runs = run_names(ids)
        limits = BudgetLimit.objects.filter(pk__in=ids).select_related("graph", "trigger")
        names = {limit.pk: budget_name(limit) for limit in limits}
        for row in rows:
            vars(row)["called"] = _whose(row, runs, names)


def _whose(row: Budget, runs: Mapping[str, str], limits: Mapping[str, str]) -> str:
    _level, _, rest = row.pk.partition(":")
    of, _, more = rest.partition(":")
    if row.level not in OF_RUNS:
        return f"{limits.get(of, f'A budget of the {row.level} that is gone')}, {more}"
    run = runs.get(of, GONE)
    return f"{more} of {run}" if more else run


@admin.register(Spending)
class SpendingAdmin(ReadOnlyAdmin):
    """What each day cost."""

    list_display = (
        "day",
        "graph",
        "node",
        "agent",
        "model",
        count_column("calls", "Calls"),
        count_column("tokens", "Tokens"),
        usd_column("pico", "USD"),
    )
    list_filter = ("workspace", "graph", "model")
    show_full_result_count = False
    columns: ClassVar[dict[str, Any]] = {
        "person": named_column("person", "Person"),
        "pico": usd_column("pico", "Spent"),
    }


@admin.register(TriggerSpending)
class TriggerSpendingAdmin(Called, ReadOnlyAdmin):
    """What the runs that each trigger started cost in a day."""

    list_display = (
        "day",
        "graph",
        called_column("Trigger"),
        count_column("calls", "Calls"),
        count_column("tokens", "Tokens"),
        usd_column("pico", "USD"),
    )
    list_filter = ("workspace", "graph")
    search_fields = ("=trigger",)
    show_full_result_count = False
    columns: ClassVar[dict[str, Any]] = {
        "trigger": called_column("Trigger"),
        "pico": usd_column("pico", "Spent"),
    }

    def name_rows(self, rows: Sequence[TriggerSpending]) -> None:
        """Set what the triggers are called."""
        triggers = Trigger.objects.filter(pk__in={row.trigger for row in rows})
        names = dict(triggers.values_list("pk", "name"))
        for row in rows:
            vars(row)["called"] = names.get(row.trigger, "a trigger that is gone")

    def title(self, row: TriggerSpending) -> str:
        """Return which trigger's spend of which day it is."""
        return f"{vars(row)['called']}, {row.day}"


@admin.register(BudgetHold)
class BudgetHoldAdmin(OfRun, ReadOnlyAdmin):
    """Money set aside for calls that have not settled yet."""

    list_display = (
        called_column("Run"),
        "key",
        "state",
        count_column("tokens", "Tokens"),
        usd_column("pico", "Amount"),
    )
    list_filter = ("state",)
    search_fields = ("=run",)
    search_help_text = "The whole id of a run."

    def title(self, row: BudgetHold) -> str:
        """Return for which step of which run it is."""
        return f"{row.key} of {vars(row)['called']}"
