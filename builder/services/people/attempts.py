"""Counts what may be tried a few times in a window: rows, so that nobody can push others out."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from builder.base.errors import TooMany
from builder.models import Attempt


@dataclass(frozen=True, slots=True)
class Limit:
    """So many attempts under one name in a window that begins with the first of them."""

    name: str
    most: int
    window: timedelta

    @property
    def key(self) -> str:
        """What is kept of the name."""
        return hashlib.sha256(self.name.encode()).hexdigest()


def take(limit: Limit) -> None:
    """Count one attempt, before it is made. Raises `TooMany` once there were too many.

    Who is refused writes nothing.
    """
    now = timezone.now()
    row = Attempt.objects.filter(pk=limit.key).first()
    if row is not None and row.until > now and row.count >= limit.most:
        raise _too_many(row.until - now)
    if not _counted(limit, now):
        raise _too_many(limit.window)


def give_back(limit: Limit) -> None:
    """Take one attempt back: it was no guess."""
    Attempt.objects.filter(pk=limit.key, count__gt=0).update(count=F("count") - 1)


def forget(limit: Limit) -> None:
    """Forget the attempts."""
    Attempt.objects.filter(pk=limit.key).delete()


def forget_expired(now: datetime) -> None:
    """Delete what no longer counts."""
    Attempt.objects.filter(until__lte=now).delete()


def _counted(limit: Limit, now: datetime) -> bool:
    """Of any number who come at once, `most` are counted."""
    rows = Attempt.objects.filter(pk=limit.key)
    until = now + limit.window
    for _again in range(2):
        if rows.filter(until__gt=now, count__lt=limit.most).update(count=F("count") + 1):
            return True
        if rows.filter(until__lte=now).update(count=1, until=until):
            return True
        try:
            with transaction.atomic():
                Attempt.objects.create(key=limit.key, count=1, until=until)
            return True
        except IntegrityError:  # somebody was first, or the row is full
            continue
    return False


def _too_many(wait: timedelta) -> TooMany:
    seconds = max(1, round(wait.total_seconds()))
    shown = f"{seconds} seconds" if seconds < 120 else f"{seconds // 60} minutes"
    return TooMany(
        f"too many attempts: try again in {shown}", code="TooManyAttempts", retry_after_s=seconds
    )
