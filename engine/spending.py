"""The budgets around a run, and what is said when spending passes a threshold."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from engine.ledger import BudgetRef
from engine.state import RunState

if TYPE_CHECKING:
    from engine.transition import Transition


def run_budgets(state: RunState) -> list[BudgetRef]:
    """Return the budgets of the run, of the runs around it, of its graph and workspace."""
    limits = state.started["limits"]
    usd, tokens = limits.get("budget_usd"), limits.get("max_token_budget")
    refs = []
    if usd is not None or tokens is not None:
        cap = None if usd is None else Decimal(usd)
        refs.append(BudgetRef(f"run:{state.run_id}", "run", tokens, cap))
    around = (state.started.get("parent") or {}).get("budgets", ())
    refs += [BudgetRef.from_json(data) for data in around]
    known = {ref.id for ref in refs}
    for data in state.started.get("budgets", ()):
        if data["id"] not in known:
            refs.append(BudgetRef.from_json(data))
    return refs


def announce_thresholds(tx: Transition, crossed: list[tuple[Any, int]]) -> None:
    """Emit one event for each threshold that spending has passed, once per level (row C43)."""
    for row, threshold in crossed:
        if row.level == "node" or (row.id, threshold) in tx.state.thresholds:
            continue
        tx.emit(
            "BudgetThresholdReached",
            None,
            {
                "budget": row.id,
                "level": row.level,
                "threshold": threshold,
                "spent_usd": str(row.spent_usd),
                "limit_usd": None if row.limit_usd is None else str(row.limit_usd),
                "spent_tokens": row.spent_tokens,
                "limit_tokens": row.limit_tokens,
            },
        )
