"""What an alert says, in one line of plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from builder.models import AlertRule
from builder.reads.money.budget_words import budget_name, fullest, standing_words
from engine.core.budgets.money import usd

What = AlertRule.What


def headline(rule: AlertRule, value: int) -> str:
    """Return what is so: `5 runs failed in the last hour · Nightly sync`."""
    name = "" if rule.graph is None else f" · {' '.join(rule.graph.name.split())[:80]}"
    return f"{_SAID[What(rule.what)](value, stretch(rule.window_minutes))}{name}"


def headline_now(rule: AlertRule, value: int) -> str:
    """Return what is so of an alert that is open; of a budget also which, and how much of how much."""
    if rule.what == What.BUDGET:
        zone = str(rule.workspace.all_settings["timezone"])
        found = fullest(rule.workspace_id, rule.graph_id or "", zone)
        if found is not None:
            return f"{budget_name(found.limit)} is used to {value} %: {standing_words(found)}"
    return headline(rule, value)


def stretch(minutes: int) -> str:
    """Return so many minutes in words, without an article: `hour`, `3 hours`, `2 days`."""
    for size, word in ((1440, "day"), (60, "hour")):
        if minutes % size == 0:
            count = minutes // size
            return word if count == 1 else f"{count} {word}s"
    return "minute" if minutes == 1 else f"{minutes} minutes"


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{count:,} runs"


def _items(count: int) -> str:
    return "1 item" if count == 1 else f"{count:,} items"


def _longer(minutes: str) -> str:
    return f"an {minutes}" if minutes == "hour" else f"a {minutes}"


def _waiting(count: int, window: str) -> str:
    long = window if window[0].isdigit() else _longer(window)
    return f"{_items(count)} in the inbox {'waits' if count == 1 else 'wait'} for over {long}"


_SAID: Final[Mapping[What, Callable[[int, str], str]]] = {
    What.FAILURES: lambda n, window: f"{_runs(n)} failed in the last {window}",
    What.PROVIDER_DOWN: lambda n, window: (
        f"A provider does not answer: {_runs(n)} failed of it in the last {window}"
    ),
    What.SPEND: lambda pico, _: f"${usd(pico)} spent today",
    What.BUDGET: lambda percent, _: f"A budget is used to {percent} %",
    What.WAITING: _waiting,
    What.IN_DOUBT: lambda n, _: (
        f"{n:,} {'call' if n == 1 else 'calls'} in doubt: nobody knows whether "
        f"{'it' if n == 1 else 'they'} happened"
    ),
    What.STUCK: lambda n, _: f"{_runs(n)} {'stands' if n == 1 else 'stand'} still",
}
