"""What has been over for longer than its rule says is archived or deleted, a few families at a time.

A run that is deleted goes with everything that only it has: log, state, blobs, decisions, comments. What
outlives it stays: the audit log, sums of spending, facts, and runs that were forked from it. Runs that
wait are never touched, nor those that somebody keeps, nor what hangs together with either: a family
goes as a whole, by the rule of the run that nobody of it started.
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
    Budget,
    BudgetHold,
    FailureCause,
    Interrupt,
    KeptRun,
    OldRuns,
    Outbox,
    Run,
    RunArchive,
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
from builder.services.runs.retention import archiving
from builder.services.runs.retention.blobs import drop_blobs
from builder.services.runs.retention.policy import Rule, rules_of
from builder.services.runs.retention.shrinking import shrink
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

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
    """What was deleted, what was archived, and the events that left the tables with either."""

    runs: int = 0
    events: int = 0
    blobs: int = 0
    archived: int = 0

    def __add__(self, other: Pruned) -> Pruned:
        return Pruned(
            self.runs + other.runs,
            self.events + other.events,
            self.blobs + other.blobs,
            self.archived + other.archived,
        )


def prune_all(now_ms: int) -> Pruned:
    """Do by their rules with the old runs of every workspace; return what was done.

    What stood at the doors and no longer counts goes too, requests that were answered long ago, and
    files of archived runs that were deleted. A file that shrinks gives its room back to the disk.
    """
    forget_at_the_doors(now_ms)
    RunRequest.objects.filter(answered__lt=now_ms - KEEP_ANSWERS_MS).delete()
    archiving.sweep(now_ms)
    total = Pruned()
    for workspace in Workspace.objects.order_by("pk"):
        for rule in rules_of(workspace):
            total += by_rule(workspace.pk, rule, now_ms)
    shrink()
    return total


def forget_at_the_doors(now_ms: int) -> None:
    """Delete counted attempts, tickets and sessions whose time is over."""
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    attempts.forget_expired(now)
    tickets.forget_expired(now)
    sign_ins.forget_expired(now)


def prune(workspace_id: str, days: int, now_ms: int) -> Pruned:
    """Delete runs of the workspace that were over `days` days before `now_ms` (ms since 1970)."""
    return by_rule(workspace_id, Rule(days, OldRuns.DELETE, Q()), now_ms)


def by_rule(workspace_id: str, rule: Rule, now_ms: int) -> Pruned:
    """Archive or delete the runs of a rule that were over for its days at `now_ms` (ms since 1970)."""
    run_actions.enter_all()  # what a log says goes into the audit log before that log is deleted
    before = now_ms - rule.days * DAY_MS
    total, last = Pruned(), (-1, "")
    while True:
        heads = _heads(workspace_id, rule, before, last)
        if not heads:
            break
        last = heads[-1]
        families = _families([pk for _, pk in heads], before)
        total += _archived(families, now_ms) if rule.archives else _deleted_at(families, now_ms)
    detail = {"days": rule.days, "events": total.events}
    for action, runs in (("runs.pruned", total.runs), ("runs.archived", total.archived)):
        if runs:
            with transaction.atomic():
                audit.record(workspace_id, None, action, workspace_id, runs=runs, **detail)
    return total


def _archived(families: Sequence[str], now_ms: int) -> Pruned:
    """Archive runs, those first that others started: a family that is not through is found again."""
    total = Pruned()
    for pk in reversed(families):
        run = Run.objects.filter(pk=pk).first()
        gone = None if run is None else archiving.archive(run, now_ms)
        if gone is not None:
            total += Pruned(archived=1, events=gone)
    return total


def _deleted_at(families: Sequence[str], now_ms: int) -> Pruned:
    with transaction.atomic():
        kept = KeptRun.objects.filter(pk__in=families)  # by somebody, a moment ago
        return Pruned() if kept.exists() else delete(families, now_ms)


def _over(before: int) -> Q:
    return Q(status__in=Run.ENDED, ended_at__lt=before)


def _heads(
    workspace_id: str, rule: Rule, before: int, last: tuple[int, str]
) -> list[tuple[int, str]]:
    """Return the next runs that no kept run has started, as `(ended_at, id)`, the oldest first."""
    parents = Run.objects.filter(pk=OuterRef("parent_run"))
    behind = Q(ended_at__gt=last[0]) | Q(ended_at=last[0], pk__gt=last[1])
    mine = Run.objects.filter(rule.runs, workspace=workspace_id, ended_at__gte=max(last[0], 0))
    rows = mine.filter(_over(before), behind, ~Exists(parents))
    if rule.archives:
        rows = rows.exclude(Exists(RunArchive.objects.filter(pk=OuterRef("pk"))))
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
    waiting |= set(KeptRun.objects.filter(pk__in=head_of).values_list("pk", flat=True))
    young |= {head_of[pk] for pk in waiting}
    return [pk for pk, head in head_of.items() if head not in young]


def delete(runs: Sequence[str], now_ms: int) -> Pruned:
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
    blobs = drop_blobs(runs)
    Interrupt.objects.filter(run__in=runs).delete()
    for model in (RunSnapshot, RunSpending, Timer, BudgetHold):
        rows: Any = model._default_manager
        rows.filter(run__in=runs).delete()
    for pk in runs:
        Budget.objects.filter(Q(pk=f"run:{pk}") | Q(pk__startswith=f"node:{pk}:")).delete()
    RunArchive.objects.filter(pk__in=runs, gone_at=None).update(gone_at=now_ms)
    Run.objects.filter(pk__in=runs).delete()
    return Pruned(len(runs), events, blobs)


def _forget_failures(numbers: Sequence[int]) -> None:
    """Count the failures of these runs no more: a cause counts the runs that are kept."""
    mine = RunFailure.objects.filter(number__in=numbers)
    for cause, n in mine.values_list("cause").annotate(n=Count("pk")):
        FailureCause.objects.filter(pk=cause).update(count=F("count") - n)
    mine.delete()


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
            except (DatabaseError, OSError) as error:
                log.warning("old runs could not be archived or deleted: %s", error)
            finally:
                connection.close()

    thread = threading.Thread(target=loop, name="retention", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout=5)
