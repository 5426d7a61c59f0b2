"""Refused sign-ins: counted by account, told at once or together."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from builder.models import RefusedSignIns
from builder.services.audit.account_entries import record

TOGETHER: Final = timedelta(hours=1)
"""The first refusal of an account is told at once, those of the hour after it in one entry."""

log = logging.getLogger("graphwright.audit")


def refuse(account: str, now: datetime, **door: str) -> None:
    """Count a refused sign-in to an account, "" for one that nobody has: one row, however many.

    The first of an hour is entered at once, where it is somebody's.
    """
    with transaction.atomic():
        counted = RefusedSignIns.objects.filter(account=account, since__gt=now - TOGETHER)
        if counted.update(count=F("count") + 1, last_at=now):
            return
        row = locked(account)
        if row is not None:
            tell(row)
        fresh = {"since": now, "last_at": now, "count": 0 if account else 1}
        RefusedSignIns.objects.update_or_create(account=account, defaults=fresh)
        if account:
            record(account, None, "session.refused", count=1, **door)


def tell_refused(now: datetime | None = None) -> int:
    """Enter what was counted for an hour, one entry an account; return of how many accounts."""
    before = (now or timezone.now()) - TOGETHER
    due = list(RefusedSignIns.objects.filter(since__lte=before).values_list("account", flat=True))
    for account in due:
        with transaction.atomic():
            row = locked(account)
            if row is not None and row.since <= before:
                tell(row)
                row.delete()
    return len(due)


def locked(account: str) -> RefusedSignIns | None:
    """Return the row that counts for an account, held to the end of the transaction."""
    return RefusedSignIns.objects.select_for_update().filter(account=account).first()


def tell(row: RefusedSignIns) -> None:
    """Enter what a row has counted, where it is somebody's account."""
    if not row.count:
        return
    if not row.account:
        log.warning("%s sign-ins to accounts that nobody has since %s", row.count, row.since)
        return
    until = row.last_at.isoformat()
    record(row.account, None, "session.refused", count=row.count, until=until)
