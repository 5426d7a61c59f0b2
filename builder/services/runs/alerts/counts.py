"""What an alert rule counts now, and the address of exactly the rows that it counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.db.models import Sum

from builder.models import AlertRule, Interrupt, Run, Spending
from builder.reads.money.budget_words import fullest
from builder.reads.operations.alarms import alarms
from builder.reads.runs.choice import FOR_PEOPLE, RunChoice
from engine.core.state.events import iso

MINUTE_MS: Final = 60_000
What = AlertRule.What
FAILED: Final = ("failed", "timeout")
"""How runs end that count as failures, but where a person said no."""
DOWN: Final = ("ProviderUnavailable", "CircuitOpen")
"""Codes of failures of which the cause is that somebody else does not answer."""
ASKED: Final = tuple(kind for kind in FOR_PEOPLE if kind != "in_doubt")


@dataclass(frozen=True, slots=True)
class Look:
    """A rule at a moment, in milliseconds since the epoch."""

    rule: AlertRule
    now: int

    @property
    def since(self) -> int:
        """When the stretch began that the rule looks back on."""
        return self.now - self.rule.window_minutes * MINUTE_MS

    @property
    def day(self) -> str:
        """The workspace's day."""
        zone = ZoneInfo(str(self.rule.workspace.all_settings["timezone"]))
        return datetime.fromtimestamp(self.now / 1000, zone).date().isoformat()

    @property
    def graph(self) -> str:
        """The id of the only workflow that counts, empty for all."""
        return self.rule.graph_id or ""


def counted(look: Look) -> int:
    """Return what the rule counts, in the unit of its threshold."""
    return _COUNTS[What(look.rule.what)](look)


def rows_of(look: Look) -> str:
    """Return the address of the page that lists what was counted."""
    return _ROWS[What(look.rule.what)](look)


def _ended(look: Look, codes: tuple[str, ...] = ()) -> int:
    choice = RunChoice(
        graph=look.graph,
        status=FAILED,
        ended_since=look.since,
        ended_until=look.now,
        code=codes,
        rejected=False,
    )
    return choice.among(Run.objects.in_workspace(look.rule.workspace_id)).count()


def _spent(look: Look) -> int:
    rows = Spending.objects.in_workspace(look.rule.workspace_id).between(look.day, look.day)
    if look.rule.graph is not None:
        rows = rows.filter(graph=look.rule.graph.slug)
    return rows.aggregate(pico=Sum("pico"))["pico"] or 0


def _used(look: Look) -> int:
    zone = str(look.rule.workspace.all_settings["timezone"])
    found = fullest(look.rule.workspace_id, look.graph, zone)
    return 0 if found is None else int(found.taken * 100)


def _open(look: Look, kinds: tuple[str, ...], until: int) -> int:
    rows = Interrupt.objects.in_workspace(look.rule.workspace_id).open().filter(kind__in=kinds)
    if look.graph:
        rows = rows.filter(run__in=Run.objects.filter(graph=look.graph).values("pk"))
    return rows.filter(opened_at__lt=until).count()


def _stuck(look: Look) -> int:
    found = alarms(look.rule.workspace_id, look.now)
    return sum(not look.graph or alarm.run.graph_id == look.graph for alarm in found)


_COUNTS: Final[Mapping[What, Callable[[Look], int]]] = {
    What.FAILURES: _ended,
    What.PROVIDER_DOWN: lambda look: _ended(look, DOWN),
    What.SPEND: _spent,
    What.BUDGET: _used,
    What.WAITING: lambda look: _open(look, ASKED, look.since),
    What.IN_DOUBT: lambda look: _open(look, ("in_doubt",), look.now),
    What.STUCK: _stuck,
}


def _runs(look: Look, **query: str) -> str:
    return _address("/runs", graph=look.graph, **query)


def _failed(look: Look, **query: str) -> str:
    stretch = {"ended_since": iso(look.since), "ended_until": iso(look.now)}
    return _runs(look, status=",".join(FAILED), rejected="false", **stretch, **query)


def _items(look: Look, kinds: tuple[str, ...], until: int) -> str:
    asked = {"view": "all", "kind": ",".join(kinds), "opened_until": iso(until)}
    return _address("/inbox", graph=look.graph, **asked)


def _address(path: str, **query: str) -> str:
    return f"{path}?{urlencode({name: text for name, text in query.items() if text})}"


_ROWS: Final[Mapping[What, Callable[[Look], str]]] = {
    What.FAILURES: _failed,
    What.PROVIDER_DOWN: lambda look: _failed(look, code=",".join(DOWN)),
    What.SPEND: lambda look: _address(
        "/dashboard/spend",
        since=look.day,
        until=look.day,
        graph="" if look.rule.graph is None else look.rule.graph.slug,
    ),
    What.BUDGET: lambda _look: "/dashboard/spend",
    What.WAITING: lambda look: _items(look, ASKED, look.since),
    What.IN_DOUBT: lambda look: _items(look, ("in_doubt",), look.now),
    What.STUCK: lambda look: _runs(look, waiting="stuck"),
}
