"""Mail about accounts: invitations, links for new passwords. Rows of the outbox, as all mail is.

An invitation's code is sealed in its row, and the link for a password is made only when it is sent:
who reads the database learns neither.
"""

from __future__ import annotations

import json
import logging
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.utils import timezone

from builder.base import address, vault
from builder.base.clock import now_ms
from builder.models import Invitation, Outbox, User
from builder.services.mail import inbox_mail as mail

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
    return sum(_deliver(row, moment) for row in rows.order_by("pk")[:AT_ONCE])


def _queue(why: str, ref: str, **more: str) -> None:
    payload = json.dumps({"why": why, **more})
    Outbox.objects.create(topic=TOPIC, ref=ref[:200], payload=payload, available_at=now_ms())


def _deliver(row: Outbox, now: int) -> int:
    message = _message(row.ref, json.loads(row.payload))
    try:
        sent = 0 if message is None else message.send()
    except mail.FAILURES as error:
        log.warning("mail about an account failed (%s of %s): %s", row.tries + 1, MAX_TRIES, error)
        if row.tries + 1 < MAX_TRIES:
            row.tries += 1
            row.available_at = now + FIRST_PAUSE_MS * 2**row.tries
            row.save(update_fields=["tries", "available_at"])
            return 0
        sent = 0
    row.delete()
    return sent


def _message(ref: str, payload: dict[str, Any]) -> EmailMessage | None:
    """Return the mail, None where there is nobody to send it to any more."""
    if payload["why"] == "reset":
        user = User.objects.filter(email=ref, is_active=True).first()
        return None if user is None else _reset_mail(user)
    open_ones = Invitation.objects.open(timezone.now()).select_related("workspace", "invited_by")
    invitation = open_ones.filter(pk=ref).first()
    if invitation is None:
        return None
    return _invitation_mail(invitation, vault.unseal(bytes.fromhex(payload["code"]), ref))


def _reset_mail(user: User) -> EmailMessage:
    link = f"{address.public()}/reset-password#{user.pk}.{default_token_generator.make_token(user)}"
    lines = [
        f"Hello {user},",
        "",
        "somebody, probably you, asked for a new password. Set it here within the hour:",
        "",
        link,
        "",
        "The link works once. If it was not you, do nothing: your password stays as it is.",
    ]
    return EmailMessage("A new password", "\n".join(lines), to=[user.email])


def _invitation_mail(invitation: Invitation, code: str) -> EmailMessage:
    workspace = " ".join(invitation.workspace.name.split())
    by = str(invitation.invited_by) if invitation.invited_by else "Somebody"
    until = f"{invitation.expires_at:%d %B %Y}"
    lines = [
        f"{by} invites you to the workspace “{workspace}” as {invitation.get_role_display()}.",
        "",
        f"{address.public()}/join#{code}",
        "",
        f"The link works once, until {until}. You join only if you open it and say so.",
    ]
    return EmailMessage(f"Join {workspace}"[:150], "\n".join(lines), to=[invitation.email])
