"""A budget in words: whose it is, and how much of how much is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final

from builder.models import BudgetLimit
from builder.reads.money.budgets import BudgetStatus, budget_statuses
from engine.core.budgets.money import usd

PERIODS: Final[Mapping[str, str]] = {"day": "daily ", "week": "weekly ", "month": "monthly "}
CENT: Final = Decimal("0.01")
LONGEST: Final = 80


def one_line(name: str) -> str:
    """Return a name in one line, cut where it is too long."""
    return " ".join(name.split())[:LONGEST]


def budget_name(limit: BudgetLimit, named: Callable[[str], str] = one_line) -> str:
    """Return whose budget it is: `The monthly budget of “Support”`."""
    budget = f"The {PERIODS.get(limit.period, '')}budget"
    if limit.graph is None:
        return f"{budget} of the workspace"
    graph = f"“{named(limit.graph.name)}”"
    if limit.trigger is None:
        return f"{budget} of {graph}"
    return f"{budget} of the trigger “{named(limit.trigger.name)}” of {graph}"


def used_words(said: Mapping[str, Any]) -> str:
    """Return how much of how much: `$9.10 of $10.00`; of money, tokens, or both, as is limited."""
    parts = []
    if said.get("limit_usd") is not None:
        parts.append(f"{_dollars(said.get('spent_usd'))} of {_dollars(said['limit_usd'])}")
    if said.get("limit_tokens") is not None:
        spent, top = int(said.get("spent_tokens") or 0), int(said["limit_tokens"])
        parts.append(f"{spent:,} of {top:,} tokens")
    return ", ".join(parts)


def fullest(workspace_id: str, graph: str, zone: str) -> BudgetStatus | None:
    """Return the budget of which most is used and held, of all or of one workflow's; None without any."""
    limits = BudgetLimit.objects.in_workspace(workspace_id).standing()
    limits = limits.select_related("graph", "trigger")
    if graph:
        limits = limits.filter(graph=graph)
    return max(budget_statuses(list(limits), zone), key=lambda each: each.taken, default=None)


def standing_words(status: BudgetStatus) -> str:
    """Return how much of a budget is used and held, of how much."""
    row, top = status.row, status.limit_pico
    return used_words(
        {
            "spent_usd": usd(row.spent_pico + row.held_pico),
            "limit_usd": None if top is None else usd(top),
            "spent_tokens": row.spent_tokens + row.held_tokens,
            "limit_tokens": status.limit_tokens,
        }
    )


def _dollars(amount: object) -> str:
    value = Decimal(str(amount or 0))
    return f"${value:,.2f}" if value == 0 or value >= CENT else f"${value:f}"
