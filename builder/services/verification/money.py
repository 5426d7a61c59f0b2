"""Budgets and sums of days beside what the logs of all runs were charged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson

from builder.services.verification.folding import Folded, Sums
from builder.services.verification.snapshot import Finding, Snapshot

BUDGETS: Final = (
    "SELECT id, level, workspace_id, spent_tokens, spent_pico, held_tokens, held_pico "
    "FROM builder_budget WHERE id"
)
HOLDS: Final = "SELECT id, budgets, tokens, pico FROM builder_budgethold WHERE id"
SHARED: Final = ("trigger", "graph", "workspace")

DAYS: Final = (
    "SELECT COALESCE(SUM(tokens), 0), COALESCE(SUM(pico), 0) FROM builder_spending "
    "WHERE workspace_id = ?"
)
DAYS_OF_TRIGGERS: Final = (
    "SELECT COALESCE(SUM(tokens), 0), COALESCE(SUM(pico), 0) FROM builder_triggerspending "
    "WHERE workspace_id = ?"
)


class Books:
    """What logs charged to budgets and workspaces, summed up run by run.

    Only budgets that have a row are kept in mind: those of runs that are over have none.
    """

    def __init__(self, look: Snapshot) -> None:
        self._look = look
        self._known = {row[0] for page in look.pages(BUDGETS, (), "") for row in page}
        self._charged: dict[str, Sums] = {}
        self._spent: dict[str, Sums] = {}
        self._triggered: dict[str, Sums] = {}

    def add(self, workspace_id: str, folded: Folded) -> None:
        """Add what one run was charged."""
        for budget, (tokens, amount) in folded.charged.items():
            if budget in self._known:
                _add(self._charged, budget, (tokens, amount))
        _add(self._spent, workspace_id, folded.spent)
        if folded.state is not None and folded.state.started.get("trigger"):
            _add(self._triggered, workspace_id, folded.spent)

    def check_budgets(self, workspace_id: str | None) -> Iterator[Finding]:
        """Yield budgets whose holds or spending are not those of the logs.

        A shared budget may have more than the logs say: what was spent before it was set in its
        period, or by runs that were deleted since.
        """
        held = self._held()
        for page in self._look.pages(BUDGETS, (), ""):
            for name, level, home, *sums in page:
                if workspace_id in (None, home):
                    yield from self._check(name, level, sums, held.get(name, (0, 0)))

    def _check(self, name: str, level: str, row: list[Any], held: Sums) -> Iterator[Finding]:
        place = f"budget {name}"
        spent = self._charged.get(name, (0, 0))
        for unit, is_, told in (("tokens", row[0], spent[0]), ("pico-dollars", row[1], spent[1])):
            if is_ < told or (is_ > told and level not in SHARED):
                yield Finding(place, f"spent {is_} {unit} in its row, {told} by the logs")
        for unit, is_, told in (("tokens", row[2], held[0]), ("pico-dollars", row[3], held[1])):
            if is_ != told:
                yield Finding(place, f"held {is_} {unit} in its row, {told} by its holds")

    def _held(self) -> dict[str, Sums]:
        found: dict[str, Sums] = {}
        for page in self._look.pages(HOLDS, (), ""):
            for _id, budgets, tokens, amount in page:
                for name in orjson.loads(budgets):
                    _add(found, name, (tokens, amount))
        return found

    def check_spending(self, workspace_id: str) -> Iterator[Finding]:
        """Yield where the sums of days of a workspace are not what its logs come to.

        They may be more once runs were deleted, of which the audit log tells; those of triggers may
        be less, as they are kept since later.
        """
        pruned = self._look.one(
            "SELECT 1 FROM builder_auditentry WHERE workspace_id = ? "
            "AND (entry LIKE ? OR entry LIKE ?) LIMIT 1",
            [workspace_id, '%"action":"runs.pruned"%', '%"action":"run.deleted"%'],
        )
        place = f"spending of workspace {workspace_id}"
        told = self._spent.get(workspace_id, (0, 0))
        for unit, is_, by_logs in self._beside(DAYS, workspace_id, told):
            if is_ < by_logs or (is_ > by_logs and pruned is None):
                yield Finding(place, f"{is_} {unit} in its sums of days, {by_logs} by the logs")
        told = self._triggered.get(workspace_id, (0, 0))
        for unit, is_, by_logs in self._beside(DAYS_OF_TRIGGERS, workspace_id, told):
            if is_ > by_logs and pruned is None:
                yield Finding(place, f"{is_} {unit} in its sums of triggers, {by_logs} by the logs")

    def _beside(self, rows: str, workspace_id: str, told: Sums) -> Iterator[tuple[str, int, int]]:
        """Yield of each unit what rows sum up to and what the logs told."""
        [(tokens, amount)] = self._look.rows(rows, [workspace_id])
        yield "tokens", int(tokens), told[0]
        yield "pico-dollars", int(amount), told[1]


def _add(sums: dict[str, Sums], name: str, more: Sums) -> None:
    tokens, amount = sums.get(name, (0, 0))
    sums[name] = (tokens + more[0], amount + more[1])
