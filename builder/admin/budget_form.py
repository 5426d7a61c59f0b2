"""The form of a limit, with its amount in USD."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminDecimalFieldWidget

from builder.models import BudgetLimit
from engine.core.budgets.money import from_pico

MAX_USD = 10**6


class BudgetLimitForm(forms.ModelForm):  # type: ignore[type-arg]
    """A limit with its amount in USD."""

    limit_usd = forms.DecimalField(
        label="Limit, USD",
        required=False,
        min_value=Decimal(0),
        max_value=Decimal(MAX_USD),
        decimal_places=6,
        widget=UnfoldAdminDecimalFieldWidget(),
    )

    class Meta:
        model = BudgetLimit
        fields = ("workspace", "graph", "period", "limit_usd", "limit_tokens")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["limit_usd"].initial = from_pico(self.instance.limit_pico)

    def clean(self) -> dict[str, Any]:
        """Refuse a limit without amount, and a graph of another workspace."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("limit_usd") is None and data.get("limit_tokens") is None:
            self.add_error("limit_usd", "a budget limits USD, tokens, or both")
        graph, workspace = data.get("graph"), data.get("workspace")
        if graph is not None and workspace is not None and graph.workspace_id != workspace.pk:
            self.add_error("graph", "this workflow belongs to another workspace")
        return data
