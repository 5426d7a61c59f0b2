"""Mail to people for whom something waits: from the outbox over notices and letters to a server.

A row of the outbox is written in the transaction that asks or reminds, so that nothing is lost. It
becomes one notice for each person who may decide, what is due of a person becomes one letter, and
whoever sends a letter claims it first. After a crash in the middle of sending, the same letter goes
out under the same `Message-ID`, by which mail servers know it again.
"""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, cast

from django.db import transaction
from django.db.models import F, Min

from builder.base.clock import DAY_MS, HOUR_MS, now_ms
from builder.models import Interrupt, Letter, Membership, Notice, Outbox, Snooze
from builder.reads.inbox_items import Item, items_of
from builder.services.mail import letters
from builder.services.mail.notifications import GATHER_MS, When, due_at, rhythms_of

TOPIC: Final = "mail"
NOTED_AT_ONCE: Final = 100
SENT_AT_ONCE: Final = 50
MAX_TRIES: Final = 8
CLAIM_MS: Final = 300_000
"""How long who sends a letter has for it: far longer than the longest wait for a mail server."""
FIRST_PAUSE_MS: Final = 30_000
LONGEST_PAUSE_MS: Final = 3_600_000
FIRST_GAP_MS: Final = 30_000
LONGEST_GAP_MS: Final = 900_000
"""Between two letters to one person; each letter of the last hour doubles it."""
MAX_PEOPLE: Final = 50
"""More people than these share a role rather than a task: none but the first are written to."""
KEPT_DAYS: Final = 30
"""How long letters are kept, so that reminders find what they remind of."""
FAILURES: Final = (OSError, ValueError)
"""What backends raise: SMTP and socket errors are `OSError`, bad headers `ValueError`."""

log = logging.getLogger("graphwright.mail")
Clock = Callable[[], int]


def deliver_due(now: int | None = None) -> int:
    """Send what is due and return how many mails went out. What fails is tried again later."""
    clock = now_ms if now is None else lambda: now
    note(clock())
    bundle(clock())
    return send(clock)


def note(now: int) -> None:
    """Turn what the outbox asks for into notices, one for each person who is to be told."""
    due = Outbox.objects.filter(topic=TOPIC, done_at__isnull=True, available_at__lte=now)
    rows = list(due.order_by("pk")[:NOTED_AT_ONCE])
    items = _open_items({row.ref for row in rows})
    found = [(row, _notices(row, items[row.ref], now) if row.ref in items else []) for row in rows]
    for row, notices in found:
        with transaction.atomic():
            taken, _ = Outbox.objects.filter(pk=row.pk).delete()
            if taken:
                Notice.objects.bulk_create(notices)


def bundle(now: int) -> None:
    """Put what is due of each person into one letter."""
    waiting = Notice.objects.filter(letter__isnull=True)
    due = waiting.filter(due_at__lte=now).values("user", "workspace")
    for each in due.annotate(first=Min("interrupt__expires_at")).order_by("user", "workspace"):
        user, workspace = each["user"], each["workspace"]
        if now < _free_at(user, workspace, each["first"], now):
            continue
        with transaction.atomic():
            letter = Letter.objects.create(
                user_id=user, workspace_id=workspace, made_at=now, due_at=now
            )
            mine = waiting.filter(user=user, workspace=workspace, due_at__lte=now + GATHER_MS)
            if not mine.update(letter=letter):
                letter.delete()


def send(clock: Clock) -> int:
    """Send the letters that are due and return how many went out."""
    due = Letter.objects.filter(done_at__isnull=True, due_at__lte=clock())
    return sum(_sent(letter, clock) for letter in due.order_by("due_at", "pk")[:SENT_AT_ONCE])


def forget_old(now: int) -> None:
    """Delete letters that nothing will follow any more, with what they told."""
    Letter.objects.filter(done_at__lt=now - KEPT_DAYS * DAY_MS).delete()


def _open_items(requests: Iterable[str]) -> dict[str, Item]:
    """Return the open items among the requests, each as the first member of its workspace sees it."""
    rows: dict[str, list[Interrupt]] = defaultdict(list)
    for row in Interrupt.objects.open().filter(pk__in=requests):
        rows[row.workspace_id].append(row)
    found: dict[str, Item] = {}
    for workspace, some in rows.items():
        member = Membership.objects.filter(workspace=workspace).first()
        if member is not None:
            found |= {item.row.pk: item for item in items_of(some, member)}
    return found


def _notices(row: Outbox, item: Item, now: int) -> list[Notice]:
    """Return whom a row is for; `sent` are those who heard of it from a former version.

    A payload with `to` is for that person alone.
    """
    payload = json.loads(row.payload)
    heard = {*payload.get("sent", ()), *(one.by for one in item.said)}
    heard |= set(Snooze.objects.filter(interrupt=item.row).values_list("user", flat=True))
    only = _alone(payload, item)
    asked = [
        who for who in item.people if only in (None, who.id) and item.why_not_told(who) is None
    ]
    people = [who.id for who in asked if who.id not in heard]
    people = people[:MAX_PEOPLE]
    rhythms = rhythms_of(people, item.row.workspace.zone)
    return [
        Notice(
            user_id=who,
            workspace_id=item.row.workspace_id,
            interrupt=item.row,
            why=payload["why"],
            noted_at=now,
            due_at=due_at(rhythms[who], item.row, now),
        )
        for who in people
        if who in rhythms and rhythms[who].when != When.NEVER
    ]


def _alone(payload: Mapping[str, Any], item: Item) -> str | None:
    """Return whom alone a row is for: `to`, or who asked back at `seq`; None for all."""
    if "seq" not in payload:
        return cast("str | None", payload.get("to"))
    asked = (one.row.asked_by for one in item.asked_back if one.row.asked_seq == payload["seq"])
    return next(asked, "")


def _free_at(user: str, workspace: str, expires_at: int | None, now: int) -> int:
    """Return when the person may get another letter, given the first deadline of what is due."""
    recent = Letter.objects.filter(user=user, workspace=workspace, made_at__gt=now - HOUR_MS)
    made: list[int] = list(recent.order_by("-made_at").values_list("made_at", flat=True)[:16])
    if not made:
        return now
    gap: int = min(FIRST_GAP_MS << (len(made) - 1), LONGEST_GAP_MS)
    if expires_at is not None and expires_at < made[0] + 2 * gap:
        gap = FIRST_GAP_MS
    return made[0] + gap


def _sent(letter: Letter, clock: Clock) -> bool:
    """Claim the letter and send it; return whether it went out."""
    claimed = Letter.objects.filter(pk=letter.pk, done_at__isnull=True, due_at=letter.due_at)
    if not claimed.update(due_at=clock() + CLAIM_MS, tries=F("tries") + 1):
        return False
    message = letters.written(letter)
    if message is None:
        letter.delete()
        return False
    try:
        message.send()
    except FAILURES as error:
        _try_again(letter, clock(), error)
        return False
    Letter.objects.filter(pk=letter.pk).update(done_at=clock())
    return True


def _try_again(letter: Letter, now: int, error: Exception) -> None:
    tries = letter.tries + 1
    pause = min(FIRST_PAUSE_MS * 2**letter.tries, LONGEST_PAUSE_MS)
    log.warning("letter %s failed (%s of %s): %s", letter.pk, tries, MAX_TRIES, error)
    Letter.objects.filter(pk=letter.pk).update(
        due_at=now + pause, done_at=now if tries >= MAX_TRIES else None
    )
