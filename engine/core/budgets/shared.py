"""Budgets that runs share: those of a graph and of its workspace, each for one period.

A hold counts in the period in which it was made, whenever it is settled: the id of its row names
the period. So periods roll over by themselves, and what a call cost is never moved to a day on
which it was not allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from zoneinfo import ZoneInfo

from engine.core.budgets.periods import Period, period_at
from engine.core.budgets.refs import BudgetRef

UTC_ZONE = "UTC"


@dataclass(frozen=True, slots=True)
class SharedBudget:
    """A limit that people set: on a workspace, or on one graph of it (`graph_id`, its slug).

    `period` is day, week, month or total. None is no cap on that side.
    """

    id: str
    workspace_id: str | None
    graph_id: str | None = None
    period: str = "month"
    limit_tokens: int | None = None
    limit_usd: Decimal | None = None

    @property
    def level(self) -> str:
        """`graph` or `workspace`."""
        return "workspace" if self.graph_id is None else "graph"

    def row_id(self, period: Period) -> str:
        """Return the id of the ledger's row for one period."""
        return f"{self.level}:{self.id}:{period.name}"


class SharedBudgets:
    """The limits that hold now. `home` is the workspace of runs that name none."""

    def __init__(
        self,
        budgets: Iterable[SharedBudget] = (),
        zones: Mapping[str, str] | None = None,
        home: str | None = None,
    ) -> None:
        self.home = home
        self._zones = dict(zones or {})
        self._of: dict[tuple[str | None, str | None], list[SharedBudget]] = {}
        self._periods: dict[tuple[str, str], Period] = {}
        for budget in budgets:
            place = (budget.workspace_id, budget.graph_id)
            self._of.setdefault(place, []).append(budget)

    def refs(self, workspace_id: str | None, graphs: Iterable[str], now: int) -> list[BudgetRef]:
        """Return what a call made `now` is held on: of each of the graphs, and the workspace."""
        if not self._of:
            return []
        place = workspace_id or self.home
        return [
            self._ref(budget, self.period(place, budget.period, now))
            for graph_id in dict.fromkeys([*graphs, None])
            for budget in self._of.get((place, graph_id), ())
        ]

    def current(self, now: int) -> list[BudgetRef]:
        """Return every budget for the period that `now` (ms) falls into."""
        return [
            self._ref(budget, self.period(budget.workspace_id, budget.period, now))
            for budgets in self._of.values()
            for budget in budgets
        ]

    def period(self, workspace_id: str | None, kind: str, now: int) -> Period:
        """Return the period of `kind` that `now` (ms) falls into, by the workspace's clock."""
        zone = self._zones.get(workspace_id or self.home or "", UTC_ZONE)
        known = self._periods.get((zone, kind))
        if known is None or not known.holds(now):
            known = self._periods[(zone, kind)] = period_at(kind, ZoneInfo(zone), now)
        return known

    @staticmethod
    def _ref(budget: SharedBudget, period: Period) -> BudgetRef:
        return BudgetRef(
            budget.row_id(period),
            budget.level,
            budget.limit_tokens,
            budget.limit_usd,
            period.ends_at,
        )
