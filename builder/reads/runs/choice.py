"""Which runs a list is about: what every figure that counts runs says of the rows behind it.

Times are milliseconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, Q

from builder.models import Activation, CallTurn, Interrupt, Run, RunEvent, RunFailure, RunTag, Timer
from builder.models.querysets import RunQuerySet
from builder.models.runs.failures import was_rejected
from builder.reads.operations.board import BUSY
from builder.reads.operations.processes import UNFINISHED
from builder.reads.runs.asleep import is_asleep
from builder.reads.runs.calls import ALL_CALLS, NOBODY, CallChoice
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

ALIVE: Final = (*BUSY, "waiting")
FOR_PEOPLE: Final = ("approval", "text", "choice", "multi-choice", "form", "budget", "in_doubt")
FOR_TIME: Final = ("retry", "sleep")
WAITS: Final = (*FOR_PEOPLE, *FOR_TIME, "child_run", "turn", "call")
"""What a run may wait for: an interrupt of a kind, a timer of a kind, a child run, its turn,
the turn of a call."""
BULK: Final = "bulk"
"""What stands as the source of runs that a bulk job made, as it tried others again."""
ANY: Final = "any"
"""What stands as the worker of runs that some process has in hand."""
NOT_NOTED: Final = Q(source__isnull=True) | Q(source="")
IN_BULK: Final = Q(trigger_key__isnull=False, trigger_key__startswith="bulk:")


@dataclass(frozen=True, slots=True)
class RunChoice:
    """What runs have in common; what is empty or None says nothing.

    `graph` is a workflow's id, `slug` its name in addresses, `node` the step at which they failed,
    `cause` why, `code` with which code, `person` who started them, `waiting` one of `WAITS`, `job`
    the bulk job that retried others by them, `tag` a name and value they were started with
    (`customer:acme`), `worker` the process that has them in hand (`ANY` some process, `NOBODY` none),
    `tried` that an attempt failed, `awake` that they do not all wait for a moment and `asleep` that
    they do, `rejected` whether they ended as a person said no, `tests` whether they try a draft,
    `ids` which they are at most. `spent`
    says that they cost something, or with `calls` which calls.
    """

    graph: str = ""
    slug: str = ""
    status: Sequence[str] = ()
    since: int | None = None
    until: int | None = None
    ended_since: int | None = None
    ended_until: int | None = None
    search: str = ""
    node: str = ""
    cause: Sequence[str] = ()
    code: Sequence[str] = ()
    person: str = ""
    waiting: str = ""
    job: str = ""
    tag: str = ""
    source: str = ""
    trigger: str = ""
    worker: str = ""
    tried: bool = False
    awake: bool = False
    asleep: bool = False
    rejected: bool | None = None
    tests: bool | None = None
    spent: bool = False
    calls: CallChoice = ALL_CALLS
    ids: Sequence[str] | None = None

    def among(self, rows: RunQuerySet) -> RunQuerySet:
        """Return those of the rows that are chosen."""
        rows = rows.filter(**{name: value for name, value in self._columns().items() if value})
        rows = rows.filter(
            **{name: at for name, at in self._times().items() if at is not None},
        )
        for condition in self._conditions():
            rows = rows.filter(condition)
        return rows.search(self.search) if self.search else rows

    def _columns(self) -> Mapping[str, Any]:
        return {
            "graph": self.graph,
            "graph_slug": self.slug,
            "status__in": list(self.status),
            "started_by": self.person if self.person != NOBODY else "",
            "source": self.source if self.source not in (NOBODY, BULK) else "",
            "trigger": self.trigger,
            "trigger_key__startswith": f"bulk:{self.job}:" if self.job else "",
        }

    def _times(self) -> Mapping[str, int | None]:
        return {
            "started_at__gte": self.since,
            "started_at__lt": self.until,
            "ended_at__gte": self.ended_since,
            "ended_at__lt": self.ended_until,
        }

    def _conditions(self) -> Iterator[Q]:
        if self.person == NOBODY:
            yield Q(started_by__isnull=True) | Q(started_by="")
        if self.source == NOBODY:
            yield NOT_NOTED & ~IN_BULK
        if self.source == BULK:
            yield NOT_NOTED & IN_BULK
        if self.spent:
            yield Q(spent_pico__gt=0) | Q(spent_tokens__gt=0)
        if self.calls != ALL_CALLS:
            yield Q(pk__in=self.calls.rows().values("run"))
        failed = {"cause__in": self.cause, "cause__code__in": self.code, "cause__node": self.node}
        for name, wanted in failed.items():
            if wanted:
                yield Q(number__in=RunFailure.objects.filter(**{name: wanted}).values("number"))
        if self.tag:
            yield Q(number__in=_tagged(self.tag))
        if self.ids is not None:
            yield Q(pk__in=self.ids)
        yield from self._standing()

    def _standing(self) -> Iterator[Q]:
        """How they stand: what they wait for, and what went wrong on their way."""
        if self.worker:
            yield _held_by(self.worker)
        if self.tried:
            yield Q(_attempt_failed())
        if self.awake:
            yield ~is_asleep()
        if self.asleep:
            yield is_asleep()
        if self.rejected is not None:
            yield was_rejected() if self.rejected else ~was_rejected()
        if self.tests is not None:
            yield Q(version__is_draft=True) if self.tests else ~Q(version__is_draft=True)
        if self.waiting:
            yield _WAITING[self.waiting](self.waiting)


def _held_by(worker: str) -> Q:
    """Runs that are not over and the process's own: what has ended is in nobody's hand."""
    if worker == NOBODY:
        return UNFINISHED & Q(owner__isnull=True)
    return UNFINISHED & (Q(owner__isnull=False) if worker == ANY else Q(owner=worker))


def _tagged(tag: str) -> Any:
    name, colon, value = tag.partition(":")
    rows = RunTag.objects.filter(name=name.strip())
    return (rows.filter(value=value.strip()) if colon else rows).values("number")


def _attempt_failed() -> Exists:
    first = OuterRef("number") * EVENTS_PER_RUN
    log = RunEvent.objects.filter(place__gt=first, place__lt=first + EVENTS_PER_RUN)
    return Exists(log.filter(type="AttemptFailed"))


def _asked(kind: str) -> Q:
    return Q(pk__in=Interrupt.objects.open().filter(kind=kind).values("run"))


def _timed(kind: str) -> Q:
    return Q(status__in=ALIVE, pk__in=Timer.objects.filter(kind=kind).values("run"))


def _child_run(_kind: str) -> Q:
    alive = Run.objects.filter(status__in=ALIVE, parent_run__isnull=False)
    return Q(status__in=ALIVE, pk__in=alive.values("parent_run"))


def _turn(_kind: str) -> Q:
    queued = Activation.objects.filter(status="queued").annotate(of=F("place") / EVENTS_PER_RUN)
    return Q(status="queued") | Q(status__in=ALIVE, number__in=queued.values("of"))


def _call(_kind: str) -> Q:
    return Q(status__in=ALIVE, pk__in=CallTurn.objects.waiting().values("run"))


_WAITING: Final[Mapping[str, Callable[[str], Q]]] = {
    **dict.fromkeys(FOR_PEOPLE, _asked),
    **dict.fromkeys(FOR_TIME, _timed),
    "child_run": _child_run,
    "turn": _turn,
    "call": _call,
}
