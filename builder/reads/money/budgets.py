"""Where budgets stand: used, held and left in the present period, and what it comes to at its end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Q

from builder.base import clock
from builder.models import Budget, BudgetLimit
from engine.core.budgets.periods import Period, period_at
from engine.core.budgets.shared import SharedBudget

FORECAST_FROM: Final = 0.05
"""Share of a period after which what is used says something about its end."""


@dataclass(frozen=True, slots=True)
class BudgetStatus:
    """Where one limit stands in one period. Money in pico-dollars; None is no cap on that side."""

    limit: BudgetLimit
    period: Period
    row: Budget
    now: int

    @property
    def limit_pico(self) -> int | None:
        """The limit with what people added for this period."""
        base = self.limit.limit_pico
        return None if base is None else base + self.row.raised_pico

    @property
    def limit_tokens(self) -> int | None:
        """The limit with what people added for this period."""
        base = self.limit.limit_tokens
        return None if base is None else base + self.row.raised_tokens

    @property
    def left_pico(self) -> int | None:
        """What may still be held, never below 0."""
        top, row = self.limit_pico, self.row
        return None if top is None else max(top - row.spent_pico - row.held_pico, 0)

    @property
    def left_tokens(self) -> int | None:
        """What may still be held, never below 0."""
        top, row = self.limit_tokens, self.row
        return None if top is None else max(top - row.spent_tokens - row.held_tokens, 0)

    @property
    def taken(self) -> float:
        """Used and held of the limit, the higher share of both sides; may be above 1."""
        row = self.row
        sides = (
            (row.spent_pico + row.held_pico, self.limit_pico),
            (row.spent_tokens + row.held_tokens, self.limit_tokens),
        )
        return max((_share(used, top) for used, top in sides if top is not None), default=0.0)

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left once all that is held has been given back."""
        row, tops = self.row, (self.limit_pico, self.limit_tokens)
        sides = zip((row.spent_pico, row.spent_tokens), tops, strict=True)
        return any(top is not None and used >= top for used, top in sides)

    def forecast(self, used: int) -> int | None:
        """Return what `used` comes to at the period's end if it goes on so; None if too early."""
        share = self.period.share(self.now)
        return None if share is None or share < FORECAST_FROM else round(used / share)


def _share(used: int, top: int) -> float:
    if top:
        return used / top
    return float(used > 0)


def budget_statuses(limits: Sequence[BudgetLimit], zone: str) -> list[BudgetStatus]:
    """Return where limits of one workspace stand now, in their order, with one query."""
    now = clock.now_ms()
    periods = [period_at(limit.period, ZoneInfo(zone), now) for limit in limits]
    ids = [row_id_of(limit, period) for limit, period in zip(limits, periods, strict=True)]
    rows = Budget.objects.in_bulk(ids)
    return [
        BudgetStatus(limit, period, rows.get(row_id) or Budget(id=row_id), now)
        for limit, period, row_id in zip(limits, periods, ids, strict=True)
    ]


def row_id_of(limit: BudgetLimit, period: Period) -> str:
    """Return the id of the row in which a limit stands for one period."""
    graph = None if limit.graph_id is None else ""
    shared = SharedBudget(limit.pk, limit.workspace_id, graph, trigger_id=limit.trigger_id)
    return shared.row_id(period)


def tightest(
    workspace_id: str, slugs: Iterable[str], zone: str, trigger: str | None = None
) -> BudgetStatus | None:
    """Return the shared budget that has least left of those that runs of the graphs spend from.

    Of those of triggers, `trigger`'s alone: they are of what these start.
    """
    limits = BudgetLimit.objects.in_workspace(workspace_id).standing().select_related("graph")
    limits = limits.filter(Q(trigger__isnull=True) | Q(trigger=trigger))
    wanted = set(slugs)
    concerned = [row for row in limits if row.graph is None or row.graph.slug in wanted]
    return max(budget_statuses(concerned, zone), key=lambda s: s.taken, default=None)
