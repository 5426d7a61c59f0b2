"""What a door turns away: told to the sender, and kept in a ring that nobody can make long."""

from __future__ import annotations

import secrets

import orjson
from django.db.models import F

from builder.base.errors import ServiceError
from builder.models import Delivery, Trigger
from builder.services.mail import trigger_mail

RING = 100
"""Refused deliveries of a trigger that are kept, the newest."""


class TurnedAway(ServiceError):
    """A delivery is not taken in; `status` is what the sender is told."""

    def __init__(self, status: int, code: str, message: str, *, retry_after_s: int = 0) -> None:
        super().__init__(message, code=code)
        self.status = status
        self.retry_after_s = retry_after_s


def note(trigger: Trigger, refusal: TurnedAway, now: int, sample: object = None) -> Delivery:
    """Keep what was turned away and why; `sample` only of what was signed.

    Its id is not taken: the same delivery may come again and be good. What comes too often is one
    row a minute.
    """
    often = refusal.status == 429
    key = f"429:{now // 60_000}" if often else f"{refusal.status}:{secrets.token_hex(16)}"
    row, new = Delivery.objects.get_or_create(
        door=trigger,
        key=key,
        defaults={
            "state": Delivery.State.REFUSED,
            "code": refusal.code,
            "reason": refusal.message[:500],
            "sample": orjson.dumps(sample).decode(),
            "at": now,
            "available_at": now,
        },
    )
    if new:
        trigger_mail.tell(trigger, now)
        _forget_oldest(trigger)
    else:
        Delivery.objects.filter(pk=row.pk).update(repeats=F("repeats") + 1)
    return row


def _forget_oldest(trigger: Trigger) -> None:
    rows = Delivery.objects.filter(door=trigger, state=Delivery.State.REFUSED)
    newest = rows.order_by("-at", "-pk").values_list("at", flat=True)
    past = newest[RING : RING + 1]
    if past:
        rows.filter(at__lte=past[0]).delete()
