"""The limits of workspaces, graphs and triggers, as the engine's ledger needs them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import orjson

from engine.core.budgets.money import from_pico
from engine.core.budgets.shared import SharedBudget, SharedBudgets

LIMITS: Final = (
    "SELECT l.id, l.workspace_id, g.slug, l.period, l.limit_tokens, l.limit_pico, l.trigger_id "
    "FROM builder_budgetlimit l LEFT JOIN builder_graph g ON g.id = l.graph_id "
    "WHERE g.archived_at IS NULL ORDER BY l.id"
)
ZONES: Final = "SELECT id, settings FROM builder_workspace"


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
