"""When a person is told by mail of what waits for them: their own choice, and when that is due."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db import transaction

from builder.base.clock import HOUR_MS
from builder.models import Interrupt, MailChoice, Notice, User

When = MailChoice.When
GATHER_MS: Final = 10_000
"""How long what opens is gathered, so that many items make one mail."""
DAILY_HOUR: Final = 8
"""When the mail of a day comes, in the time zone of the workspace."""
SOON_MS: Final = HOUR_MS
"""Who is told less often is told at once of what a later mail would leave less time than this."""


def choice_of(user: User) -> str:
    """Return when the person is told."""
    return choices_of([user.pk]).get(user.pk, When.AT_ONCE.value)


def choices_of(users: Collection[str]) -> Mapping[str, str]:
    """Return when each of these people is told, by id; who chose nothing is left out."""
    return dict(MailChoice.objects.filter(user__in=users).values_list("user", "when"))


def choose(user: User, when: str, now: int) -> None:
    """Set when the person is told. What waits to be told follows; with *never* it is dropped."""
    with transaction.atomic():
        MailChoice.objects.update_or_create(user=user, defaults={"when": when})
        waiting = Notice.objects.filter(user=user, letter__isnull=True)
        if when == When.NEVER:
            waiting.delete()
            return
        rows = list(waiting.select_related("interrupt", "workspace"))
        for row in rows:
            zone = str(row.workspace.all_settings["timezone"])
            row.due_at = due_at(when, row.interrupt, now=now, zone=zone)
        Notice.objects.bulk_update(rows, ["due_at"], batch_size=200)


def due_at(when: str, interrupt: Interrupt, *, now: int, zone: str) -> int:
    """Return when somebody who chose `when` (not *never*) is told of an item, in milliseconds."""
    due = told_at(when, now=now, zone=zone)
    too_late = interrupt.expires_at is not None and interrupt.expires_at < due + SOON_MS
    return now + GATHER_MS if too_late else due


def told_at(when: str, *, now: int, zone: str) -> int:
    """Return when somebody who chose `when` is told of what has no deadline, in milliseconds."""
    soon = now + GATHER_MS
    if when == When.HOURLY:
        return max(soon, now - now % HOUR_MS + HOUR_MS)
    return max(soon, _next_morning(now, zone)) if when == When.DAILY else soon


def _next_morning(now: int, zone: str) -> int:
    moment = datetime.fromtimestamp(now / 1000, ZoneInfo(zone))
    morning = moment.replace(hour=DAILY_HOUR, minute=0, second=0, microsecond=0)
    if morning <= moment:
        morning += timedelta(days=1)
    return int(morning.timestamp() * 1000)
