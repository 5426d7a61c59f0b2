"""The limits of workspaces, graphs and triggers, as the engine's ledger needs them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import orjson

from engine.core.budgets.money import from_pico
from engine.core.budgets.shared import SharedBudget, SharedBudgets
from engine.runtime.stores.sql.budget_rows import HOLD_MORE, NEW_BUDGET
from engine.runtime.stores.sql.statements import Must

LIMITS: Final = (
    "SELECT l.id, l.workspace_id, g.slug, l.period, l.limit_tokens, l.limit_pico, l.trigger_id "
    "FROM builder_budgetlimit l LEFT JOIN builder_graph g ON g.id = l.graph_id "
    "WHERE g.archived_at IS NULL ORDER BY l.id"
)
ZONES: Final = "SELECT id, settings FROM builder_workspace"
HOLD: Final = (
    f"{NEW_BUDGET} SELECT ?, ?, ?, ?, ?, 0, 0, ?, ? "  # noqa: S608  (constants)
    "WHERE EXISTS (SELECT 1 FROM builder_budget b WHERE b.id = ?) "
    "OR NOT EXISTS (SELECT 1 FROM builder_budgetlimit l WHERE l.id = ? "
    f"AND (? > l.limit_tokens OR ? > l.limit_pico)) {HOLD_MORE}, (limit_tokens, limit_pico) = "
    "(SELECT l.limit_tokens + builder_budget.raised_tokens, "
    "l.limit_pico + builder_budget.raised_pico FROM builder_budgetlimit l WHERE l.id = ?) "
    "WHERE NOT EXISTS (SELECT 1 FROM builder_budgetlimit l WHERE l.id = ? AND ("
    "builder_budget.spent_tokens + builder_budget.held_tokens + excluded.held_tokens "
    "> l.limit_tokens + builder_budget.raised_tokens OR "
    "builder_budget.spent_pico + builder_budget.held_pico + excluded.held_pico "
    "> l.limit_pico + builder_budget.raised_pico))"
)
"""The limit is what people set last, and what they added for the period; what a process remembers of it
is written where a period begins, and judges nothing. Whoever holds restates it, so a row of a period that began before
the limit was changed follows it."""


class Rows(Protocol):
    """What reads rows."""

    async def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Return all rows of a query. Raises `StoreError`."""
        ...


async def read_shared_budgets(reader: Rows, home: str | None) -> SharedBudgets:
    """Return the limits that hold now. `home` is the workspace of runs that name none."""
    budgets = [
        SharedBudget(row[0], row[1], row[2], row[3], row[4], from_pico(row[5]), row[6])
        for row in await reader.rows(LIMITS)
    ]
    zones = {str(row[0]): _zone(row[1]) for row in await reader.rows(ZONES)}
    return SharedBudgets(budgets, zones, home)


def _zone(settings: Any) -> str:
    """Return the time zone of a workspace's settings: text in one database, an object in another."""
    if isinstance(settings, str | bytes):
        settings = orjson.loads(settings)
    return str(settings.get("timezone", "UTC"))


def hold_shared(row: Sequence[Any]) -> Must:
    """Return what holds on a budget; `row` begins with the id that `SharedBudget.row_id` gives it."""
    limit_id = row[0].split(":")[1]
    return Must(HOLD, (*row, row[0], limit_id, *row[-2:], limit_id, limit_id))
