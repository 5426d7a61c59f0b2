"""How many come before a run that waits for a place, or before a call of one that waits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final

from builder.base.clock import now_ms
from builder.models import CallTurn, ProviderPause, Run

MOST_READ: Final = 5_000
"""Waiting calls of a workspace that are looked through; who stands behind them is told nothing."""
MOST_TOLD: Final = 3
"""Calls of one run that are told."""


def before(runs: Sequence[Run]) -> Mapping[str, int]:
    """Return how many come before each of the runs that wait for a place, by id.

    Two queries a workspace: what stands before all of them is counted, what stands among them is read.
    """
    numbers: dict[str, dict[int, str]] = defaultdict(dict)
    for run in runs:
        if run.status == Run.Status.QUEUED and run.place_at == 0 and run.number is not None:
            numbers[run.workspace_id][run.number] = run.pk
    found: dict[str, int] = {}
    for workspace_id, mine in numbers.items():
        rows = Run._base_manager.filter(workspace_id=workspace_id, status="queued", place_at=0)
        ahead = rows.filter(number__lt=min(mine)).count()
        among = rows.filter(number__range=(min(mine), max(mine))).order_by("number")
        for at, number in enumerate(among.values_list("number", flat=True), ahead):
            if number in mine:
                found[mine[number]] = at
    return found


def calls_before(runs: Sequence[Run]) -> Mapping[str, list[str]]:
    """Return in words which calls of runs wait, by the runs' ids; the oldest first.

    `a call of house/small: 3 before it`, where as many wait for their turn with the same provider;
    `a call of house/small: for money that other calls hold`, `a call of house/small: house asked for a
    pause, 40 s more`.
    """
    wanted: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        if run.status not in Run.ENDED:
            wanted[run.workspace_id].add(run.pk)
    found: dict[str, list[str]] = defaultdict(list)
    for workspace_id, mine in wanted.items():
        ahead: Counter[str] = Counter()
        rows = CallTurn.objects.in_workspace(workspace_id).waiting().order_by("pk")
        pauses = _pauses(workspace_id)
        for row in rows[:MOST_READ]:
            provider = row.model.partition("/")[0]
            if row.for_money:
                place = "for money that other calls hold"
            elif row.paused:
                place = f"{provider} asked for a pause, {pauses.get(provider, 'over now')}"
            else:
                place = f"{ahead[provider]} before it" if ahead[provider] else "next in line"
                ahead[provider] += 1
            if row.run in mine and len(found[row.run]) < MOST_TOLD:
                found[row.run].append(f"a call of {row.model}: {place}")
    return found


def _pauses(workspace_id: str) -> Mapping[str, str]:
    """Return by provider, in words, how long it still wants to be left alone."""
    now = now_ms()
    rows = ProviderPause.objects.in_workspace(workspace_id).filter(until__gt=now)
    return {
        provider: f"{ceil((until - now) / 1000)} s more"
        for provider, until in rows.values_list("provider", "until")
    }
