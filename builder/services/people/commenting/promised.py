"""Whom a question back or its answer names is told once the engine took it, whoever dies meanwhile.

That they are to be told is written with the request. Who asks tells them when it is granted; what is
left after a while, as that process ended, is told by the house.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from django.db import transaction
from django.db.models import F

from builder.base.clock import now_ms
from builder.models import Interrupt, ItemMention, Membership, Outbox, RunRequest
from builder.services.people.commenting import at_items
from builder.services.people.commenting.mentions import Mention

logger = logging.getLogger(__name__)
TOPIC: Final = "mention"
PATIENCE_MS: Final = 30_000
"""Longer than anybody waits for the answer to a request (`mailbox.PATIENCE_SECONDS`)."""
AT_ONCE: Final = 100
MOST_DOUBLED: Final = 10
"""Each failure doubles the wait, up to eight hours and a half."""


@dataclass(frozen=True, slots=True)
class Said:
    """Words about an item and whom they name; `told` are people who learn of them by another way."""

    kind: ItemMention.Kind
    text: str
    named: Sequence[Mention]
    told: Sequence[str]


def promise(
    request: RunRequest, by: Membership, interrupt: Interrupt, said: Said | None
) -> Outbox | None:
    """Write whom to tell of what is said, in the request's transaction; None where that is nobody."""
    if said is None or not said.named:
        return None
    payload = {"request": request.pk, "by": by.pk, "said": asdict(said)}
    return Outbox.objects.create(
        topic=TOPIC,
        ref=interrupt.pk,
        payload=json.dumps(payload),
        available_at=now_ms() + PATIENCE_MS,
    )


def keep(row: Outbox | None) -> None:
    """Tell whom a promise names: of all who try, one does."""
    if row is None:
        return
    with transaction.atomic():
        if not forget(row):
            return
        given = json.loads(row.payload)
        member = Membership.objects.filter(pk=given["by"]).select_related("user", "workspace")
        interrupt = Interrupt.objects.filter(pk=row.ref).first()
        if interrupt is not None and (by := member.first()) is not None:
            said = Said(**given["said"])
            kind = ItemMention.Kind(said.kind)
            at_items.tell(by, interrupt, kind, said.text, said.named, told=said.told)


def forget(row: Outbox | None) -> bool:
    """Take a promise away, and return whether it was still there."""
    return row is not None and bool(Outbox.objects.filter(pk=row.pk).delete()[0])


def keep_due(now: int | None = None) -> int:
    """Keep the promises of processes that ended before; return how many were kept.

    What was asked is not told before the engine took it, and not at all where it refused.
    """
    moment = now_ms() if now is None else now
    due = Outbox.objects.filter(topic=TOPIC, done_at__isnull=True, available_at__lte=moment)
    kept = 0
    for row in due.order_by("pk")[:AT_ONCE]:
        number = json.loads(row.payload)["request"]
        request = RunRequest.objects.filter(pk=number).first()
        answer = None if request is None else request.answer
        if request is not None and answer is None:
            Outbox.objects.filter(pk=row.pk).update(available_at=moment + PATIENCE_MS)
        elif answer is not None and "granted" in json.loads(answer):
            kept += _kept(row, moment)
        else:
            forget(row)
    return kept


def _kept(row: Outbox, now: int) -> bool:
    """Return whether a promise was kept; one that fails is tried later, and holds back no other."""
    try:
        keep(row)
    except Exception:
        later = now + (PATIENCE_MS << min(row.tries, MOST_DOUBLED))
        Outbox.objects.filter(pk=row.pk).update(available_at=later, tries=F("tries") + 1)
        logger.exception("people named at %s could not be told", row.ref)
        return False
    return True
