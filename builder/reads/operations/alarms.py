"""Runs of one workspace that should have moved and did not, grouped by workflow and reason.

A run that waits for what it knows of is none: a moment that is still to come (a delay, the next try
of a step, `Retry-After`), a person, money, a child run. Times are milliseconds since the epoch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import F, Min

from builder.models import Interrupt, Run, RunEvent, Timer
from builder.reads.operations.board import BUSY, runs_of
from builder.reads.runs.asleep import live_leaves
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

OVERDUE_MS: Final = 60_000
SILENT_MS: Final = 10 * 60_000
LOOKED_AT: Final = 500
MAX_GROUPS: Final = 50
MAX_RUNS: Final = 20
"""Runs of a group that are named, the longest stuck first; all are counted."""

AWAITED: Final = ("sleep", "retry")
"""Kinds of timers that say when an activation goes on; others only end its waiting."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """A run that should have moved and did not: `timer_overdue` or `silent`, since when."""

    run: Run
    why: str
    since: int

    @property
    def graph(self) -> str:
        """What its workflow is called."""
        return self.run.graph.name if self.run.graph else self.run.graph_slug


@dataclass(frozen=True, slots=True)
class AlarmGroup:
    """The stuck runs of one workflow that are stuck in the same way, the longest stuck first."""

    graph: str
    why: str
    alarms: Sequence[Alarm]

    @property
    def since(self) -> int:
        """Since when the first of them is stuck."""
        return self.alarms[0].since


def alarm_groups(workspace_id: str, now: int, graph: str = "") -> list[AlarmGroup]:
    """Return the stuck runs by workflow and reason, what is stuck longest first."""
    found: dict[tuple[str, str], list[Alarm]] = defaultdict(list)
    for alarm in alarms(workspace_id, now, graph):
        found[(alarm.graph, alarm.why)].append(alarm)
    groups = [AlarmGroup(graph, why, rows) for (graph, why), rows in found.items()]
    return sorted(groups, key=lambda group: group.since)[:MAX_GROUPS]


def alarms(workspace_id: str, now: int, graph: str = "") -> list[Alarm]:
    """Return runs whose timer is overdue, and runs that nothing moves for ten minutes.

    The `LOOKED_AT` oldest runs that are not over are looked at.
    """
    live = runs_of(workspace_id, graph).filter(status__in=(*BUSY, "waiting"))
    # a sum has no index: in order of start, runs that ended would be read to find the others
    rows = live.select_related("graph").defer("graph__header").order_by(F("started_at") + 0)
    runs = {run.pk: run for run in rows[:LOOKED_AT]}
    due = Timer.objects.filter(run__in=list(runs), fire_at__lt=now - OVERDUE_MS)
    late = dict(due.values_list("run").annotate(at=Min("fire_at")))
    found = [Alarm(runs[run_id], "timer_overdue", at) for run_id, at in late.items()]
    busy = [run for run in runs.values() if run.status in BUSY and run.pk not in late]
    heard = dict(zip((run.pk for run in busy), _last_heard(busy), strict=True))
    silent = [run for run in busy if heard[run.pk] < now - SILENT_MS and not _below(run, runs)]
    waits = _waiting_well(silent, now)
    found += [Alarm(run, "silent", heard[run.pk]) for run in silent if run.pk not in waits]
    return sorted(found, key=lambda alarm: alarm.since)


def _below(run: Run, runs: Mapping[str, Run]) -> bool:
    """Return whether the run waits for a child run, which has a line of its own if it is stuck."""
    return any(other.parent_run == run.pk for other in runs.values())


def _waiting_well(runs: Sequence[Run], now: int) -> set[str]:
    """Return the ids of runs of which everything that is alive waits for what it knows of."""
    ids = [run.pk for run in runs]
    excused: dict[str, set[str]] = defaultdict(set)
    timers = Timer.objects.filter(run__in=ids, kind__in=AWAITED, fire_at__gte=now - OVERDUE_MS)
    asked = Interrupt.objects.filter(run__in=ids).open()
    for rows in (timers, asked):
        for run_id, key in rows.values_list("run", "key"):
            excused[run_id].add(key or "")
    live = live_leaves([run for run in runs if run.pk in excused])
    return {run_id for run_id, keys in live.items() if keys and keys <= excused[run_id]}


def _last_heard(runs: Sequence[Run]) -> list[int]:
    """Return when the last event of each run was written."""
    places = {run.pk: (run.number or 0) * EVENTS_PER_RUN + run.seq for run in runs}
    rows = RunEvent.objects.filter(place__in=list(places.values()))
    times = dict(rows.values_list("place", "at"))
    return [times.get(places[run.pk], run.started_at) for run in runs]
