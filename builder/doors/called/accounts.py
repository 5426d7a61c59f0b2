"""Accounts of no person, as which programs call: made by an admin, who says their role."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from builder.base.errors import Conflict, InvalidInput
from builder.doors.called.tokens import Wanted, make
from builder.models import ApiToken, Membership, Role, Trigger, User
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require

ROLES: Final = frozenset({Role.VIEWER, Role.AUTHOR, Role.OPERATOR})
"""What an account may be: it never is an admin, and never a reviewer, as people decide."""


NO_PASSWORD: Final = "!"  # noqa: S105
"""What no password hashes to."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account as it is to be."""

    name: str
    role: str


def make_token(member: Membership, wanted: Account, token: Wanted) -> tuple[ApiToken, str]:
    """Make an account and its token, which is shown once; nobody signs in as it (admin).

    It is not active: who is asked, named or written to are people. Raises `InvalidInput`.
    """
    require(member, Right.ADMIN)
    if wanted.role not in ROLES:
        raise InvalidInput(f"one of {', '.join(sorted(ROLES))}", path="account.role")
    with transaction.atomic():
        account = User.objects.create(
            email=f"{uuid4().hex}@service.invalid",
            name=wanted.name.strip(),
            kind=User.Kind.SERVICE,
            is_active=False,
            password=NO_PASSWORD,
            made_by=member.user,
        )
        theirs = Membership.objects.create(
            user=account, workspace=member.workspace, role=wanted.role
        )
        audit.record(
            member.workspace_id,
            member.user_id,
            "account.made",
            account.pk,
            name=account.name,
            role=wanted.role,
        )
        return make(theirs, token, by=member.user_id)


def accounts_of(member: Membership) -> QuerySet[Membership]:
    """Return the accounts of no person in the member's workspace. Raises `NotAllowed` (admin)."""
    require(member, Right.ADMIN)
    rows = Membership.objects.in_workspace(member.workspace_id)
    return rows.filter(user__kind=User.Kind.SERVICE).select_related("user__made_by")


def end(member: Membership, account: Membership) -> None:
    """End an account with its tokens; what it started goes on and keeps its name (admin).

    Raises `Conflict` `StartsTriggers` for the one as which triggers start runs.
    """
    require(member, Right.ADMIN)
    with transaction.atomic():
        if Trigger.objects.filter(account=account.user_id).exists():
            raise Conflict(
                "triggers start runs as this account: remove them first", code="StartsTriggers"
            )
        theirs = ApiToken.objects.live().filter(
            user=account.user_id, workspace=account.workspace_id
        )
        ended = theirs.update(revoked_at=timezone.now())
        audit.record(
            member.workspace_id,
            member.user_id,
            "account.ended",
            account.user_id,
            name=account.user.name,
            tokens=ended,
        )
        account.delete()
