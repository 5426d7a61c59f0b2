"""Budgets that runs share: of a trigger, a graph and its workspace, each for one period.

A hold counts in the period in which it was made, whenever it is settled: the id of its row names
the period. So periods roll over by themselves, and what a call cost is never moved to a day on
which it was not allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from zoneinfo import ZoneInfo

from engine.core.budgets.periods import Period, period_at
from engine.core.budgets.refs import BudgetRef

UTC_ZONE = "UTC"


@dataclass(frozen=True, slots=True)
class SharedBudget:
    """A limit that people set: on a workspace, on one graph of it (`graph_id`, its slug), or on
    what one trigger starts (`trigger_id`).

    `period` is day, week, month or total. None is no cap on that side.
    """

    id: str
    workspace_id: str | None
    graph_id: str | None = None
    period: str = "month"
    limit_tokens: int | None = None
    limit_usd: Decimal | None = None
    trigger_id: str | None = None

    @property
    def level(self) -> str:
        """`trigger`, `graph` or `workspace`."""
        if self.trigger_id is not None:
            return "trigger"
        return "workspace" if self.graph_id is None else "graph"

    def row_id(self, period: Period) -> str:
        """Return the id of the ledger's row for one period."""
        return f"{self.level}:{self.id}:{period.name}"


@dataclass(frozen=True, slots=True)
class Payers:
    """What shares the cost of a run's calls beside its workspace.

    `graphs` are the slugs of its own, of those around it and of those that handed over to it,
    outermost first; `trigger` is what started the outermost of these runs.
    """

    graphs: tuple[str, ...] = ()
    trigger: str | None = None


@dataclass(slots=True)
class _Limits:
    """The limits of one workspace, by what they are on."""

    graphs: dict[str | None, list[SharedBudget]] = field(default_factory=dict)
    """Slug → limits; None those of the workspace."""
    triggers: dict[str, list[SharedBudget]] = field(default_factory=dict)

    def add(self, budget: SharedBudget) -> None:
        if budget.trigger_id is None:
            self.graphs.setdefault(budget.graph_id, []).append(budget)
        else:
            self.triggers.setdefault(budget.trigger_id, []).append(budget)

    def of(self, payers: Payers) -> Iterator[SharedBudget]:
        yield from self.triggers.get(payers.trigger or "", ())
        for graph_id in dict.fromkeys([*payers.graphs, None]):
            yield from self.graphs.get(graph_id, ())


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
        self._all = tuple(budgets)
        self._of: dict[str | None, _Limits] = {}
        self._periods: dict[tuple[str, str], Period] = {}
        for budget in self._all:
            self._of.setdefault(budget.workspace_id, _Limits()).add(budget)

    def refs(self, workspace_id: str | None, payers: Payers, now: int) -> list[BudgetRef]:
        """Return what a call made `now` is held on: of all `payers`, and of the workspace."""
        place = workspace_id or self.home
        limits = self._of.get(place)
        if limits is None:
            return []
        return [
            self._ref(budget, self.period(place, budget.period, now))
            for budget in limits.of(payers)
        ]

    def current(self, now: int) -> list[BudgetRef]:
        """Return every budget for the period that `now` (ms) falls into."""
        return [
            self._ref(budget, self.period(budget.workspace_id, budget.period, now))
            for budget in self._all
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
