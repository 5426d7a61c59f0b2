"""From what happened to whoever wants to hear of it: each consumer each event once.

An event is handed out as one task a consumer, a task is claimed, and what its handler writes is
committed with the mark that it is done. Whoever dies between two of these leaves it to the next round.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from django.db import transaction
from django.db.models import F

from builder.base.clock import DAY_MS, now_ms
from builder.base.database_trouble import tell
from builder.doors.house.consumer import Consumer
from builder.models import HouseEvent, HouseTask
from builder.models.prepared import Prepared, each_of, number

LOGGER: Final = logging.getLogger("graphwright.doors")
AT_ONCE: Final = 200
CLAIM_MS: Final = 60_000
"""So long whoever takes a task has it alone."""
MAX_TRIES: Final = 8
FIRST_PAUSE_MS: Final = 20_000
KEPT_MS: Final = 30 * DAY_MS
NEW: Final = Prepared(
    lambda: HouseEvent.objects.filter(handed_at__isnull=True).order_by("id")[:AT_ONCE]
)
DUE: Final = Prepared(
    lambda consumers, at: (
        HouseTask.objects.filter(
            done_at__isnull=True, available_at__lte=number(at), consumer__in=each_of(consumers)
        )
        .order_by("available_at", "pk")
        .select_related("event")[:AT_ONCE]
    )
)


class Overtaken(Exception):
    """Somebody else has done the task meanwhile: what was written for it is taken back."""


def dispatch(consumers: Sequence[Consumer], now: int | None = None) -> int:
    """Hand out what happened and do what is due of it; return how many tasks this process did."""
    at = now_ms() if now is None else now
    hand_out(consumers, at)
    by_name = {each.name: each for each in consumers}
    done = 0
    for task in DUE.all(json.dumps(list(by_name)), at):
        if claim(task, at):
            done += _do(task, by_name[task.consumer], at)
    return done


def hand_out(consumers: Sequence[Consumer], now: int) -> None:
    """Make a task for each consumer of what nobody has handed out, where anybody listens by it."""
    new = NEW.all()
    if not new:
        return
    tasks = [
        HouseTask(consumer=each.name, event=event, available_at=now)
        for each in consumers
        for event in _heard_by(each, new)
    ]
    with transaction.atomic():
        HouseTask.objects.bulk_create(tasks, ignore_conflicts=True)
        HouseEvent.objects.filter(pk__in=[event.pk for event in new]).update(handed_at=now)


def _heard_by(consumer: Consumer, events: Iterable[HouseEvent]) -> Iterator[HouseEvent]:
    asked = None if consumer.listening is None else set(consumer.listening())
    for event in events:
        if event.kind in consumer.kinds and (asked is None or event.workspace_id in asked):
            yield event


def claim(task: HouseTask, now: int) -> bool:
    """Take a task for a minute; of two processes one gets it, on both databases."""
    rows = HouseTask.objects.filter(pk=task.pk, done_at__isnull=True, available_at__lte=now)
    if not rows.update(available_at=now + CLAIM_MS, tries=F("tries") + 1):
        return False
    task.tries += 1
    return True


def forget_old(now: int | None = None) -> None:
    """Forget what happened over 30 days ago."""
    HouseEvent.objects.filter(at__lt=(now_ms() if now is None else now) - KEPT_MS).delete()


def _do(task: HouseTask, consumer: Consumer, now: int) -> bool:
    """Have a claimed task done, with what its handler writes in one transaction."""
    mine = HouseTask.objects.filter(pk=task.pk, done_at__isnull=True, tries=task.tries)
    try:
        with transaction.atomic():
            if not mine.update(done_at=now, error=""):
                raise Overtaken
            consumer.handler(task.event)
    except Overtaken:
        return False
    except Exception as error:  # noqa: BLE001 - one that fails keeps no other from its events
        tell(LOGGER, f"{consumer.name} could not hear of {task.event}", error)
        _put_off(task, now, error)
        return False
    return True


def _put_off(task: HouseTask, now: int, error: Exception) -> None:
    """Have it tried again later, or give it up."""
    over = now if task.tries >= MAX_TRIES else None
    mine = HouseTask.objects.filter(pk=task.pk, done_at__isnull=True, tries=task.tries)
    mine.update(
        available_at=now + FIRST_PAUSE_MS * 3**task.tries,
        done_at=over,
        error=f"{type(error).__name__}: {error}".replace("\0", "")[:300],
    )
