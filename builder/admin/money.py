"""What was allowed, held and spent, in Django admin; limits are set in `builder.admin.budgets`."""

from __future__ import annotations

from django.contrib import admin

from builder.admin.read_only import ReadOnlyAdmin, usd_column
from builder.models import Budget, BudgetHold, Spending, TriggerSpending


@admin.register(Budget)
class BudgetAdmin(ReadOnlyAdmin):
    """What runs and nodes were allowed, have spent and hold."""

    list_display = (
        "id",
        "level",
        usd_column("limit_pico", "Limit"),
        usd_column("spent_pico", "Spent"),
        usd_column("held_pico", "Held"),
        usd_column("raised_pico", "Raised"),
    )
    list_filter = ("level", "workspace")


@admin.register(Spending)
class SpendingAdmin(ReadOnlyAdmin):
    """What each day cost."""

    list_display = (
        "day",
        "graph",
        "node",
        "agent",
        "model",
        "calls",
        "tokens",
        usd_column("pico", "USD"),
    )
    list_filter = ("workspace", "graph", "model")
    show_full_result_count = False


@admin.register(TriggerSpending)
class TriggerSpendingAdmin(ReadOnlyAdmin):
    """What the runs that each trigger started cost in a day."""

    list_display = ("day", "graph", "trigger", "calls", "tokens", usd_column("pico", "USD"))
    list_filter = ("workspace", "graph")
    search_fields = ("=trigger",)
    show_full_result_count = False


@admin.register(BudgetHold)
class BudgetHoldAdmin(ReadOnlyAdmin):
    """Money set aside for calls that have not settled yet."""

    list_display = ("id", "run", "key", "state", "tokens", usd_column("pico", "Amount"))
    list_filter = ("state",)
    search_fields = ("=run",)
