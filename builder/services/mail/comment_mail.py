"""Mail to people whom a comment on a card names: one letter of all that is due to a person."""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from builder.base.clock import now_ms
from builder.models import CardComment, Membership, Outbox
from builder.services.mail import inbox_mail as mail
from builder.services.mail.comment_letters import letter
from builder.services.mail.notifications import When, choices_of, told_at

TOPIC: Final = "comment"
AT_ONCE: Final = 200
MAX_TRIES: Final = 6
FIRST_PAUSE_MS: Final = 20_000

log = logging.getLogger("graphwright.mail")


def tell(by: Membership, comment: CardComment, people: Sequence[str]) -> None:
    """Have mail sent to these people when each wants to be told, in the caller's transaction."""
    others = [who for who in people if who != by.user_id]
    choices, now = choices_of(others), now_ms()
    zone = str(by.workspace.all_settings["timezone"])
    Outbox.objects.bulk_create(
        Outbox(
            topic=TOPIC,
            ref=f"{by.workspace_id}:{who}",
            payload=json.dumps({"comment": comment.pk}),
            available_at=told_at(choices.get(who, When.AT_ONCE), now=now, zone=zone),
        )
        for who in others
        if choices.get(who) != When.NEVER
    )


def deliver_due(now: int | None = None) -> int:
    """Send what is due, one letter for each person and workspace; return how many went out."""
    moment = now_ms() if now is None else now
    due = Outbox.objects.filter(topic=TOPIC, done_at__isnull=True, available_at__lte=moment)
    mine: dict[str, list[Outbox]] = defaultdict(list)
    for row in due.order_by("pk")[:AT_ONCE]:
        mine[row.ref].append(row)
    return sum(_deliver(ref, rows, moment) for ref, rows in mine.items())


def _deliver(ref: str, rows: Sequence[Outbox], now: int) -> int:
    workspace, _, user = ref.partition(":")
    message = letter(workspace, user, {json.loads(row.payload)["comment"] for row in rows})
    mine = Outbox.objects.filter(pk__in=[row.pk for row in rows])
    try:
        sent = 0 if message is None else message.send()
    except mail.FAILURES as error:
        tries = rows[0].tries + 1
        log.warning("mail about a comment failed (%s of %s): %s", tries, MAX_TRIES, error)
        if tries < MAX_TRIES:
            mine.update(tries=tries, available_at=now + FIRST_PAUSE_MS * 2**tries)
            return 0
        sent = 0
    mine.delete()
    return sent
