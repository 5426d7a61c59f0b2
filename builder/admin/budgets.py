"""Budgets in Django admin: limits are set through the same service, sums of days are read-only."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, ClassVar

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from builder.admin.budget_form import BudgetLimitForm
from builder.admin.called import Called, called_column
from builder.admin.read_only import count_column
from builder.models import BudgetLimit, Membership, Workspace
from builder.reads.money.budget_words import budget_name
from builder.services import budgets
from builder.services.permissions import RIGHTS, Right
from engine.core.budgets.money import usd

TOKENS = count_column("limit_tokens", "Limit, tokens")
EDITORS = [role for role, rights in RIGHTS.items() if Right.BUDGET in rights]


@admin.register(BudgetLimit)
class BudgetLimitAdmin(Called):
    """Limits of workspaces and graphs; admins of a workspace set those of theirs."""

    form = BudgetLimitForm
    list_display = (called_column("Budget"), "workspace", "shown_usd", TOKENS)
    list_filter = ("period", "workspace")
    list_select_related = ("workspace", "graph", "trigger")
    actions: ClassVar[list[Any]] = []

    def name_rows(self, rows: Sequence[BudgetLimit]) -> None:
        """Set whose budgets they are."""
        for row in rows:
            vars(row)["called"] = budget_name(row)

    @admin.display(description="Limit, USD", ordering="limit_pico")
    def shown_usd(self, row: BudgetLimit) -> str:
        """Return the amount as text."""
        return "no limit" if row.limit_pico is None else f"{Decimal(usd(row.limit_pico)):,f}"

    def has_change_permission(self, request: HttpRequest, obj: BudgetLimit | None = None) -> bool:
        """Whoever may edit budgets in the workspace may do so here."""
        allowed: bool = super().has_change_permission(request, obj)
        return allowed and (obj is None or _member(request, obj.workspace_id) is not None)

    def has_delete_permission(self, request: HttpRequest, obj: BudgetLimit | None = None) -> bool:
        """As for a change."""
        allowed: bool = super().has_delete_permission(request, obj)
        return allowed and (obj is None or _member(request, obj.workspace_id) is not None)

    def get_readonly_fields(
        self, request: HttpRequest, obj: BudgetLimit | None = None
    ) -> tuple[str, ...]:
        """What a limit limits stays; another one is made for something else."""
        return () if obj is None else ("workspace", "graph")

    def formfield_for_foreignkey(
        self, db_field: models.ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> Any:
        """Offer the workspaces in which the person may edit budgets."""
        if db_field.name == "workspace":
            kwargs["queryset"] = Workspace.objects.filter(
                memberships__user=request.user.pk, memberships__role__in=EDITORS
            )
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def save_model(
        self, request: HttpRequest, obj: BudgetLimit, form: BudgetLimitForm, change: bool
    ) -> None:
        """Set the limit as the API does: with its right, its audit entry, its word to the engine."""
        member = _member(request, obj.workspace_id)
        assert member is not None
        limits = {name: form.cleaned_data[name] for name in ("limit_usd", "limit_tokens", "period")}
        if change:
            budgets.change_budget(member, obj, limits)
        else:
            obj.pk = budgets.create_budget(member, graph=obj.graph, **limits).pk

    def delete_model(self, request: HttpRequest, obj: BudgetLimit) -> None:
        """Take the limit away as the API does."""
        member = _member(request, obj.workspace_id)
        assert member is not None
        budgets.delete_budget(member, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Nothing is done to many limits at once."""
        return {}


def _member(request: HttpRequest, workspace_id: str) -> Membership | None:
    found = Membership.objects.filter(user=request.user.pk, workspace=workspace_id)
    return found.filter(role__in=EDITORS).first()
