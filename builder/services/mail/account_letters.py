"""The letters about accounts: a link for a new password, an invitation."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.utils import timezone

from builder.base import address, vault
from builder.models import Invitation, User


def letter(ref: str, payload: dict[str, Any]) -> EmailMessage | None:
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
