"""Mail to people for whom something waits: from the outbox to Django's mail backend.

A row is written in the transaction that asks or reminds, so no mail is lost; it may come twice
after a crash, never to somebody who may not decide. The link leads to the item: opening it decides
nothing.
"""

from __future__ import annotations

import json
import logging
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import F

from builder.figures import now_ms
from builder.items import Item, items_of
from builder.models import Interrupt, Membership, Outbox, Snooze, User
from builder.services.accounts import settings_of
from engine.requests import Actor

TOPIC: Final = "mail"
AT_ONCE: Final = 20
MAX_TRIES: Final = 8
FIRST_PAUSE_MS: Final = 30_000
LONGEST_PAUSE_MS: Final = 3_600_000
MAX_PEOPLE: Final = 50
"""More people than these share a role rather than a task: none but the first are written to."""
MAX_TITLE: Final = 150
FAILURES: Final = (OSError, ValueError)
"""What backends raise: SMTP and socket errors are `OSError`, bad headers `ValueError`."""
SUBJECTS: Final = {
    "opened": "", "reminded": "Reminder: ", "escalated": "Passed on to you: ",
    "again": "Asked again: ",
}  # fmt: skip

log = logging.getLogger("graphwright.mail")


def deliver_due(now: int | None = None) -> int:
    """Send what is due and return how many mails went out. What fails is tried again later."""
    moment = now_ms() if now is None else now
    rows = Outbox.objects.filter(topic=TOPIC, done_at__isnull=True, available_at__lte=moment)
    return sum(_deliver(row, moment) for row in rows.order_by("pk")[:AT_ONCE])


def _deliver(row: Outbox, now: int) -> int:
    payload = json.loads(row.payload)
    told: list[str] = payload.get("sent", [])
    before = len(told)
    try:
        for person, message in _messages(row.ref, payload, told):
            message.send()
            told.append(person)
    except FAILURES as error:
        _try_again(row, {**payload, "sent": told}, now, error)
    else:
        row.delete()
    return len(told) - before


def _try_again(row: Outbox, payload: dict[str, Any], now: int, error: Exception) -> None:
    tries = row.tries + 1
    given_up = tries >= MAX_TRIES
    pause = min(FIRST_PAUSE_MS * 2**row.tries, LONGEST_PAUSE_MS)
    log.warning("mail of %s failed (%s of %s): %s", row.ref, tries, MAX_TRIES, error)
    Outbox.objects.filter(pk=row.pk).update(
        payload=json.dumps(payload), tries=F("tries") + 1, available_at=now + pause,
        done_at=now if given_up else None,
    )  # fmt: skip


def _messages(
    request_id: str, payload: dict[str, Any], told: list[str]
) -> list[tuple[str, EmailMessage]]:
    """Return what is still to be sent, with whom it is for: nothing once the item is closed.

    A payload with `to` is for that person alone.
    """
    why, only = payload["why"], payload.get("to")
    row = Interrupt.objects.open().filter(pk=request_id).first()
    if row is None:
        return []
    member = Membership.objects.filter(workspace=row.workspace_id).first()
    if member is None:
        return []
    [item] = items_of([row], member)
    away = set(Snooze.objects.filter(interrupt=row).values_list("user", flat=True))
    heard = {one.by for one in item.said} | away | set(told)
    asked = [who for who in _decide(item) if only in (None, who.id)]
    people = [who for who in asked if who.id not in heard][:MAX_PEOPLE]
    addresses = dict(User.objects.filter(pk__in=[p.id for p in people]).values_list("pk", "email"))
    connection = get_connection()
    zone = str(settings_of(member.workspace)["timezone"])
    subject, text = _written(item, why, zone)
    return [
        (who.id, EmailMessage(subject, text, to=[addresses[who.id]], connection=connection))
        for who in people
        if addresses.get(who.id)
    ]


def _decide(item: Item) -> list[Actor]:
    return [person for person in item.people if item.why_not(person) is None]


def _written(item: Item, why: str, zone: str) -> tuple[str, str]:
    """Return subject and text. What a model wrote stays in the app, where it is marked as such."""
    run = item.run
    workflow = run.graph.name if run and run.graph else (run.graph_slug if run else "")
    kind = item.row.kind.replace("_", " ")
    lines = [f"{item.label} in the workflow “{workflow}” waits for a decision of yours ({kind})."]
    if why == "again":
        lines.append("You had decided, and then somebody changed what it shows: look at it again.")
    if item.row.expires_at is not None:
        until = datetime.fromtimestamp(item.row.expires_at / 1000, ZoneInfo(zone))
        lines.append(f"It can be decided until {until:%d %B %Y, %H:%M} ({zone}).")
    lines += ["", f"{address()}/inbox/{item.row.pk}", "", "Opening the link decides nothing."]
    subject = f"{SUBJECTS[why]}{item.label} · {workflow}"
    return " ".join(subject.split())[:MAX_TITLE], "\n".join(lines)


def address() -> str:
    """Return where the app is for people: the first of its origins."""
    return str(settings.ORIGINS[0])
