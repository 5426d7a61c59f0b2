"""Mail that waits in the outbox: one letter of all that is due to a person in a workspace.

Whoever sends it claims it first. After a crash in the middle of sending, the same letter goes out
under the same `Message-ID`.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.core.mail import EmailMessage

from builder.base.clock import now_ms
from builder.models import Outbox
from builder.services.mail.claims import claim
from builder.services.mail.inbox_mail import FAILURES
from builder.services.mail.letters import message_id

AT_ONCE: Final = 200
MAX_TRIES: Final = 6
FIRST_PAUSE_MS: Final = 20_000

Payload = Mapping[str, Any]
Compose = Callable[[str, str, Sequence[Payload]], EmailMessage | None]
"""The mail of a workspace's id, a person's and what is due; None where nothing is left to tell."""

log = logging.getLogger("graphwright.mail")


def row(topic: str, workspace: str, user: str, payload: Payload, available_at: int) -> Outbox:
    """Return what is to be told to one person from a moment on, not yet saved."""
    ref, text = f"{workspace}:{user}", json.dumps(payload)
    return Outbox(topic=topic, ref=ref, payload=text, available_at=available_at)


def deliver_due(topic: str, compose: Compose, now: int | None = None) -> int:
    """Send what is due of a topic; return how many letters went out."""
    moment = now_ms() if now is None else now
    due = Outbox.objects.filter(topic=topic, done_at__isnull=True, available_at__lte=moment)
    mine: dict[str, list[Outbox]] = defaultdict(list)
    for each in due.order_by("pk")[:AT_ONCE]:
        mine[each.ref].append(each)
    return sum(_deliver(rows, compose, moment) for rows in mine.values())


def _deliver(rows: Sequence[Outbox], compose: Compose, now: int) -> int:
    """Claim what is due to a person and send it; who comes second to the first of it leaves it all."""
    if not claim(rows[0], now):
        return 0
    rows = [rows[0], *(each for each in rows[1:] if claim(each, now))]
    topic = rows[0].topic
    workspace, _, user = rows[0].ref.partition(":")
    message = compose(workspace, user, [json.loads(each.payload) for each in rows])
    mine = Outbox.objects.filter(pk__in=[each.pk for each in rows])
    try:
        sent = 0 if message is None else _named(message, rows).send()
    except FAILURES as error:
        tries = rows[0].tries
        log.warning("mail of %s failed (%s of %s): %s", topic, tries, MAX_TRIES, error)
        if tries < MAX_TRIES:
            mine.update(available_at=now + FIRST_PAUSE_MS * 2**tries)
            return 0
        sent = 0
    mine.delete()
    return sent


def _named(message: EmailMessage, rows: Sequence[Outbox]) -> EmailMessage:
    """Return the letter with an id that stays where the same rows are sent again."""
    digest = hashlib.sha256(" ".join(str(each.pk) for each in rows).encode()).hexdigest()
    message.extra_headers["Message-ID"] = message_id(f"{rows[0].topic}.{digest[:32]}")
    return message
