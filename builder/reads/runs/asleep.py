"""Runs of which everything that is alive waits for a moment: they sleep, nothing of them is worked on.

Times are milliseconds since the epoch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, Q, Value
from django.db.models.functions import Concat

from builder.models import Activation, Run, Timer
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

RUNNING: Final = "running"
"""The status of a run that sleeps: it is over by itself, nobody has to do anything."""
SLEEP: Final = "sleep"
UNDER_WAY: Final = ("queued", "running", "ending")
"""Statuses of runs that go on without anybody, those that sleep included."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How many runs that are not over stand how: the one meaning of *Running* on every page.

    `running` are under way or about to be, those `asleep` are not among them; `waiting` wait for a
    person or another run. What processes have in hand is another number: they hold runs of each kind.
    """

    running: int
    waiting: int
    asleep: int


def standing(runs: Any) -> Standing:
    """Return how the runs of a query stand that are not over."""
    counts = runs.filter(status__in=[*UNDER_WAY, "waiting"]).aggregate(
        running=Count("pk", filter=~Q(status="waiting")),
        waiting=Count("pk", filter=Q(status="waiting")),
    )
    sleeping = runs.filter(is_asleep()).count()
    return Standing(counts["running"] - sleeping, counts["waiting"], sleeping)


def asleep(runs: Sequence[Run]) -> Mapping[str, int]:
    """Return until when those of the runs sleep that do, by id: to the first moment that wakes them."""
    maybe = {run.pk: run for run in runs if run.status == RUNNING}
    if not maybe:
        return {}
    timers: dict[str, dict[str, int]] = defaultdict(dict)
    rows = Timer.objects.filter(run__in=list(maybe), kind=SLEEP).order_by("-fire_at")
    for run_id, key, at in rows.values_list("run", "key", "fire_at"):
        timers[run_id][key or ""] = at
    live = live_leaves([maybe[run_id] for run_id in timers])
    return {
        run_id: min(ends.values())
        for run_id, ends in timers.items()
        if live.get(run_id, set()) <= ends.keys()
    }


def is_asleep() -> Q:
    """Return the condition under which a run sleeps, for queries that count or narrow runs."""
    timers = Timer.objects.filter(run=OuterRef("pk"), kind=SLEEP)
    mine = Timer.objects.filter(run=OuterRef(OuterRef("pk")), kind=SLEEP, key=OuterRef("key"))
    first = OuterRef(OuterRef("number")) * EVENTS_PER_RUN
    below = Activation.objects.filter(
        place__gte=first,
        place__lt=first + EVENTS_PER_RUN,
        key__startswith=Concat(OuterRef("key"), Value("/")),
    )
    begin = OuterRef("number") * EVENTS_PER_RUN
    live = Activation.objects.filter(place__gte=begin, place__lt=begin + EVENTS_PER_RUN)
    awake = live.filter(~Exists(mine), ~Exists(below))
    return Q(Exists(timers), ~Exists(awake), status=RUNNING)


def live_leaves(runs: Sequence[Run]) -> dict[str, set[str]]:
    """Return the live activations of each run that wait for no other activation, by its id."""
    numbers = {run.number or 0: run.pk for run in runs}
    of_runs = Q(pk__in=[])
    for number in numbers:
        of_runs |= Q(place__gte=number * EVENTS_PER_RUN, place__lt=(number + 1) * EVENTS_PER_RUN)
    keys: dict[str, set[str]] = defaultdict(set)
    for row in Activation.objects.filter(of_runs):
        keys[numbers[row.number]].add(row.key)
    return {run_id: mine - _parents(mine) for run_id, mine in keys.items()}


def _parents(keys: Iterable[str]) -> set[str]:
    """Return every key that one of the keys stands below."""
    found: set[str] = set()
    for key in keys:
        while "/" in key:
            key = key.rpartition("/")[0]
            found.add(key)
    return found
