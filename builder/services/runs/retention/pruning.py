"""How long runs are kept: what has been over for longer than a workspace says is deleted.

A run goes with everything that only it has: log, state, blobs, decisions, comments. What outlives it
stays: the audit log, sums of spending, facts, and runs that were forked from it. Runs that wait are
never touched, nor what hangs together with a run that is not over: a family goes as a whole.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from django.db import DatabaseError, close_old_connections, connection, transaction
from django.db.models import Count, Exists, F, OuterRef, Q

from builder.base.clock import now_ms
from builder.base.run_text import PARTS
from builder.models import (
    Activation,
    Blob,
    Budget,
    BudgetHold,
    FailureCause,
    Interrupt,
    Outbox,
    Run,
    RunBlob,
    RunEvent,
    RunFailure,
    RunRequest,
    RunSnapshot,
    RunSpending,
    RunTag,
    RunText,
    Timer,
    Workspace,
)
from builder.services.audit import chain as audit
from builder.services.audit import run_actions
from builder.services.people import attempts, sign_ins
from builder.services.people import socket_tickets as tickets
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

SETTING: Final = "keep_runs_days"
MAX_DAYS: Final = 3_650
DAY_MS: Final = 86_400_000
KEEP_ANSWERS_MS: Final = 7 * DAY_MS
"""How long it can be read what became of a request."""
FAMILIES: Final = 50
"""How many families are looked at, at a time: nobody waits long for the database."""

FIRST_S: Final = 60.0
EVERY_S: Final = 3_600.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was deleted."""

    runs: int = 0
    events: int = 0
    blobs: int = 0

    def __add__(self, other: Pruned) -> Pruned:
        return Pruned(self.runs + other.runs, self.events + other.events, self.blobs + other.blobs)


def prune_all(now_ms: int) -> Pruned:
    """Prune every workspace that says how long it keeps its runs; return what was deleted.

    What stood at the doors and no longer counts goes too, and requests that were answered long ago.
    """
    forget_at_the_doors(now_ms)
    RunRequest.objects.filter(answered__lt=now_ms - KEEP_ANSWERS_MS).delete()
    total = Pruned()
    for workspace in Workspace.objects.order_by("pk"):
        days = workspace.settings.get(SETTING)
        if days is not None:
            total += prune(workspace.pk, int(days), now_ms)
    return total


def forget_at_the_doors(now_ms: int) -> None:
    """Delete counted attempts, tickets and sessions whose time is over."""
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    attempts.forget_expired(now)
    tickets.forget_expired(now)
    sign_ins.forget_expired(now)


def prune(workspace_id: str, days: int, now_ms: int) -> Pruned:
    """Delete runs of the workspace that were over `days` days before `now_ms` (ms since 1970)."""
    run_actions.enter_all()  # what a log says goes into the audit log before that log is deleted
    before = now_ms - days * DAY_MS
    total, last = Pruned(), (-1, "")
    while True:
        heads = _heads(workspace_id, before, last)
        if not heads:
            break
        last = heads[-1]
        with transaction.atomic():
            total += _deleted(_families([pk for _, pk in heads], before))
    if total.runs:
        with transaction.atomic():
            detail = {"days": days, "runs": total.runs, "events": total.events}
            audit.record(workspace_id, None, "runs.pruned", workspace_id, **detail)
    return total


def _over(before: int) -> Q:
    return Q(status__in=Run.ENDED, ended_at__lt=before)


def _heads(workspace_id: str, before: int, last: tuple[int, str]) -> list[tuple[int, str]]:
    """Return the next runs that no kept run has started, as `(ended_at, id)`, the oldest first."""
    parents = Run.objects.filter(pk=OuterRef("parent_run"))
    behind = Q(ended_at__gt=last[0]) | Q(ended_at=last[0], pk__gt=last[1])
    rows = Run.objects.filter(_over(before), behind, ~Exists(parents), workspace=workspace_id)
    found = rows.order_by("ended_at", "pk").values_list("ended_at", "pk")[:FAMILIES]
    return [(ended_at or 0, pk) for ended_at, pk in found]


def _families(heads: Sequence[str], before: int) -> list[str]:
    """Return the runs of those families in which every run is over for long enough."""
    head_of = {pk: pk for pk in heads}
    young: set[str] = set()
    layer = list(heads)
    while layer:
        rows = Run.objects.filter(parent_run__in=layer)
        old = set(rows.filter(_over(before)).values_list("pk", flat=True))
        layer = []
        for pk, parent in rows.values_list("pk", "parent_run"):
            head_of[pk] = head_of[str(parent)]
            layer.append(pk)
            if pk not in old:
                young.add(head_of[pk])
    waiting = set(Outbox.objects.filter(ref__in=head_of).values_list("ref", flat=True))
    young |= {head_of[pk] for pk in waiting}
    return [pk for pk, head in head_of.items() if head not in young]


def _deleted(runs: Sequence[str]) -> Pruned:
    """Delete runs with all that only they have; the caller is in a transaction."""
    if not runs:
        return Pruned()
    held = Run.objects.filter(pk__in=runs, number__isnull=False)
    numbers = list(held.values_list("number", flat=True))
    events = 0
    for number in numbers:
        first = (number or 0) * EVENTS_PER_RUN
        mine = Q(place__gte=first, place__lt=first + EVENTS_PER_RUN)
        events += RunEvent.objects.filter(mine).delete()[0]
        Activation.objects.filter(mine).delete()
        texts = (number or 0) * PARTS
        RunText.objects.filter(place__gte=texts, place__lt=texts + PARTS).delete()
        RunTag.objects.filter(number=number or 0).delete()
    _forget_failures([number for number in numbers if number is not None])
    blobs = _drop_blobs(runs)
    Interrupt.objects.filter(run__in=runs).delete()
    for model in (RunSnapshot, RunSpending, Timer, BudgetHold):
        rows: Any = model._default_manager
        rows.filter(run__in=runs).delete()
    for pk in runs:
        Budget.objects.filter(Q(pk=f"run:{pk}") | Q(pk__startswith=f"node:{pk}:")).delete()
    Run.objects.filter(pk__in=runs).delete()
    return Pruned(len(runs), events, blobs)


def _forget_failures(numbers: Sequence[int]) -> None:
    """Count the failures of these runs no more: a cause counts the runs that are kept."""
    mine = RunFailure.objects.filter(number__in=numbers)
    for cause, n in mine.values_list("cause").annotate(n=Count("pk")):
        FailureCause.objects.filter(pk=cause).update(count=F("count") - n)
    mine.delete()


def _drop_blobs(runs: Sequence[str]) -> int:
    """Delete the runs' blobs that no other run mentions; return how many."""
    if connection.vendor == "postgresql":
        # a run that is just being written may mention a blob which is there already
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE builder_blob IN SHARE ROW EXCLUSIVE MODE")
    mine = RunBlob.objects.filter(run__in=runs)
    hashes = list(mine.values_list("hash", flat=True).distinct())
    mine.delete()
    others = RunBlob.objects.filter(hash=OuterRef("pk"))
    return Blob.objects.filter(~Exists(others), pk__in=hashes).delete()[0]


@contextmanager
def regularly(
    first_s: float = FIRST_S,
    every_s: float = EVERY_S,
    work: Callable[[int], object] = prune_all,
) -> Iterator[None]:
    """Prune in a thread of its own while the block lasts: a minute after it begins, then hourly."""
    stop = threading.Event()

    def loop() -> None:
        delay = first_s
        while not stop.wait(delay):
            delay = every_s
            close_old_connections()
            try:
                work(now_ms())
            except DatabaseError as error:
                log.warning("old runs could not be deleted: %s", error)
            finally:
                connection.close()

    thread = threading.Thread(target=loop, name="retention", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout=5)
