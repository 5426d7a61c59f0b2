"""Accounts of no person, as which programs call: made by an admin, who says their role."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from django.db import transaction

from builder.base.errors import InvalidInput
from builder.doors.called.tokens import Wanted, make
from builder.models import ApiToken, Membership, Role, User
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
