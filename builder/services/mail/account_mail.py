"""Mail about accounts: invitations, links for new passwords. Rows of the outbox, as all mail is.

An invitation's code is sealed in its row, and the link for a password is made only when it is sent:
who reads the database learns neither.
"""

from __future__ import annotations

import json
import logging
from typing import Final

from django.conf import settings

from builder.base import vault
from builder.base.clock import now_ms
from builder.models import Invitation, Outbox
from builder.services.mail import inbox_mail as mail
from builder.services.mail.account_letters import letter
from builder.services.mail.claims import claim

TOPIC: Final = "account"
AT_ONCE: Final = 20
MAX_TRIES: Final = 6
FIRST_PAUSE_MS: Final = 20_000

log = logging.getLogger("graphwright.mail")


def ask_reset(email: str) -> None:
    """Have a link for a new password sent to the address, if it is somebody's."""
    _queue("reset", email)


def send_invitation(invitation: Invitation, code: str) -> None:
    """Have an invitation sent, where mail is set up."""
    if settings.MAIL:
        _queue("invitation", invitation.pk, code=vault.seal(code, invitation.pk).hex())


def deliver_due(now: int | None = None) -> int:
    """Send what is due and return how many mails went out. What fails is tried again for a while."""
    moment = now_ms() if now is None else now
    rows = Outbox.objects.filter(topic=TOPIC, done_at__isnull=True, available_at__lte=moment)
    due = rows.order_by("pk")[:AT_ONCE]
    return sum(_deliver(row, moment) for row in due if claim(row, moment))


def _queue(why: str, ref: str, **more: str) -> None:
    payload = json.dumps({"why": why, **more})
    Outbox.objects.create(topic=TOPIC, ref=ref[:200], payload=payload, available_at=now_ms())


def _deliver(row: Outbox, now: int) -> int:
    message = letter(row.ref, json.loads(row.payload))
    try:
        sent = 0 if message is None else message.send()
    except mail.FAILURES as error:
        log.warning("mail about an account failed (%s of %s): %s", row.tries, MAX_TRIES, error)
        if row.tries < MAX_TRIES:
            row.available_at = now + FIRST_PAUSE_MS * 2**row.tries
            row.save(update_fields=["available_at"])
            return 0
        sent = 0
    row.delete()
    return sent
