"""Links that let people join a workspace: for one person, once, for a few days."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from builder.base.errors import Conflict, InvalidInput, NotFound
from builder.models import Invitation, Membership, SignInRule, User
from builder.services.audit import chain as audit
from builder.services.mail import account_mail
from builder.services.people import accounts, attempts
from builder.services.people.attempts import Limit
from builder.services.people.sign_in import ways
from builder.services.permissions import Right, require

LIVES: Final = timedelta(days=7)
MAX_AN_HOUR: Final = 100
"""Invitations of one workspace in an hour: each may be a mail to a stranger."""


def create_invitation(
    member: Membership, *, role: str, groups: Sequence[str] = (), email: str = ""
) -> tuple[Invitation, str]:
    """Return an invitation and its code, which is shown once and kept as a hash only.

    With an `email` only that person can follow it; where mail is set up it is sent there, too.
    Whether the address has an account changes nothing. Raises `TooMany`.
    """
    require(member, Right.ADMIN)
    if email:
        accounts.check_email(email)
    attempts.take(Limit(f"invitations:{member.workspace_id}", MAX_AN_HOUR, timedelta(hours=1)))
    code = secrets.token_urlsafe(32)
    with transaction.atomic():
        invitation = Invitation.objects.create(
            workspace=member.workspace,
            hash=accounts.token_hash(code),
            email=email.strip().lower(),
            role=role,
            groups=list(groups),
            invited_by=member.user,
            expires_at=timezone.now() + LIVES,
        )
        audit.record(
            member.workspace_id, member.user_id, "invitation.created", invitation.pk, role=role
        )
        if invitation.email:
            account_mail.send_invitation(invitation, code)
    return invitation, code


def revoke_invitation(member: Membership, invitation: Invitation) -> None:
    """Make the link lead nowhere. Raises `Conflict` if somebody followed it already."""
    require(member, Right.ADMIN)
    with transaction.atomic():
        mine = Invitation.objects.filter(pk=invitation.pk, used_at__isnull=True)
        if not mine.update(revoked_at=timezone.now()):
            raise Conflict("somebody has joined by it already", code="InvitationUsed")
        audit.record(member.workspace_id, member.user_id, "invitation.revoked", invitation.pk)


def find_invitation(code: str) -> Invitation:
    """Return the open invitation of a code.

    Raises `NotFound` `InvitationNotFound`, `Conflict` `InvitationUsed` or `InvitationExpired`.
    """
    return find_by_hash(accounts.token_hash(code))


def find_by_hash(kept: str) -> Invitation:
    """Return the open invitation of whose code this is kept. Raises what `find_invitation` does."""
    found = (
        Invitation.objects.select_related("workspace", "invited_by")
        .filter(hash=kept, revoked_at__isnull=True)
        .first()
    )
    if found is None:
        raise NotFound("this link leads nowhere: ask for another", code="InvitationNotFound")
    if found.used_at is not None:
        raise Conflict("this link was used already: ask for another", code="InvitationUsed")
    if found.expires_at <= timezone.now():
        raise Conflict("this link has expired: ask for another", code="InvitationExpired")
    return found


def asks_for_firm(invitation: Invitation) -> bool:
    """Return whether its workspace opens to no password, so that a new one would lead nowhere."""
    return invitation.workspace.sign_in == SignInRule.PROVIDER


def join(code: str, user: User) -> Membership:
    """Make somebody with an account a member. Raises what `find_invitation` does, and `Conflict`
    `AlreadyMember`, `InvalidInput` if the link is for another address.
    """
    with transaction.atomic():
        return spend(find_invitation(code), user)


def join_as_new(code: str, *, email: str, name: str, password: str) -> Membership:
    """Make an account and its person a member.

    Raises what `join` does, `NotAllowed` `ProviderNeeded` where the workspace lets in by the firm's
    sign-in only, and `Conflict` `AccountExists` for a known address: its owner signs in first.
    """
    invitation = find_invitation(code)
    if asks_for_firm(invitation):
        raise ways.refuse("ProviderNeeded")
    _check_address(invitation, email.strip().lower())
    if User.objects.filter(email=email.strip().lower()).exists():
        raise _known()
    user = accounts.new_person(email=email, name=name, password=password)
    try:
        with transaction.atomic():
            user.save()
            return spend(find_invitation(code), user)
    except IntegrityError:
        raise _known() from None


def _known() -> Conflict:
    return Conflict(
        "this address has an account: sign in, then open the link again", code="AccountExists"
    )


def _check_address(invitation: Invitation, email: str) -> None:
    if invitation.email and invitation.email != email:
        raise InvalidInput("this invitation is for another address", path="email")


def spend(invitation: Invitation, user: User, **detail: str) -> Membership:
    """Make a member in the caller's transaction: of two who follow it at once, one comes in.

    Raises what `join` does.
    """
    _check_address(invitation, user.email)
    workspace = invitation.workspace_id
    if Membership.objects.filter(user=user, workspace=workspace).exists():
        raise Conflict("you are a member already", code="AlreadyMember")
    now = timezone.now()
    mine = Invitation.objects.open(now).filter(pk=invitation.pk)
    if not mine.update(used_at=now, used_by=user):
        raise Conflict("this link was used already: ask for another", code="InvitationUsed")
    member = Membership.objects.create(user=user, workspace_id=workspace, role=invitation.role)
    accounts.set_groups(member, invitation.groups)
    audit.record(workspace, user.pk, "member.joined", user.pk, invitation=invitation.pk, **detail)
    return member
