"""When a person is told by mail of what waits for them: their own choice, and when that is due."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
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
"""When the mail of a day comes to who chose no hour, in their time zone."""
SOON_MS: Final = HOUR_MS
"""Who is told less often is told at once of what a later mail would leave less time than this."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """When somebody is told: of mail once a day at which hour, on the clocks of which zone."""

    when: str = When.AT_ONCE.value
    hour: int = DAILY_HOUR
    zone: str = "UTC"


def rhythm_of(user: User, zone: str) -> Rhythm:
    """Return when the person is told, in their own time zone, else in `zone`."""
    return rhythms_of([user.pk], zone)[user.pk]


def rhythms_of(users: Collection[str], zone: str) -> Mapping[str, Rhythm]:
    """Return when each of these people is told, by id, in their own time zone, else in `zone`."""
    rows = User.objects.filter(pk__in=users)
    told = rows.values_list("pk", "zone", "mail_choice__when", "mail_choice__hour")
    return {
        pk: Rhythm(when or When.AT_ONCE.value, DAILY_HOUR if hour is None else hour, own or zone)
        for pk, own, when, hour in told
    }


def choice_of(user: User) -> str:
    """Return when the person is told."""
    return choices_of([user.pk]).get(user.pk, When.AT_ONCE.value)


def choices_of(users: Collection[str]) -> Mapping[str, str]:
    """Return when each of these people is told, by id; who chose nothing is left out."""
    return dict(MailChoice.objects.filter(user__in=users).values_list("user", "when"))


def choose(user: User, when: str, now: int, hour: int | None = None) -> None:
    """Set when the person is told; without an `hour` that of mail once a day stays.

    What waits to be told follows; with *never* it is dropped.
    """
    chosen = {"when": when} if hour is None else {"when": when, "hour": hour}
    with transaction.atomic():
        MailChoice.objects.update_or_create(user=user, defaults=chosen)
        if when == When.NEVER:
            Notice.objects.filter(user=user, letter__isnull=True).delete()
        else:
            follow(user, now)


def follow(user: User, now: int) -> None:
    """Let what waits to be told follow the person's choice and time zone, in the caller's transaction."""
    waiting = Notice.objects.filter(user=user, letter__isnull=True)
    rows = list(waiting.select_related("interrupt", "workspace"))
    for row in rows:
        row.due_at = due_at(rhythm_of(user, row.workspace.zone), row.interrupt, now)
    Notice.objects.bulk_update(rows, ["due_at"], batch_size=200)


def due_at(rhythm: Rhythm, interrupt: Interrupt, now: int) -> int:
    """Return when somebody who did not choose *never* is told of an item, in milliseconds."""
    due = told_at(rhythm, now)
    too_late = interrupt.expires_at is not None and interrupt.expires_at < due + SOON_MS
    return now + GATHER_MS if too_late else due


def told_at(rhythm: Rhythm, now: int) -> int:
    """Return when somebody is told of what has no deadline, in milliseconds."""
    soon = now + GATHER_MS
    if rhythm.when == When.HOURLY:
        return max(soon, now - now % HOUR_MS + HOUR_MS)
    return max(soon, _next(rhythm, now)) if rhythm.when == When.DAILY else soon


def _next(rhythm: Rhythm, now: int) -> int:
    moment = datetime.fromtimestamp(now / 1000, ZoneInfo(rhythm.zone))
    found = moment.replace(hour=rhythm.hour, minute=0, second=0, microsecond=0)
    if found <= moment:
        found += timedelta(days=1)
    return int(found.timestamp() * 1000)
