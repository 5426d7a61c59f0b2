"""Which workspaces a browser's session opens: the one place where a workspace's rule is enforced.

By a provider alone somebody enters its workspace and no other. An API token carries no session: it
was made by somebody who had entered, opens one workspace, and an admin revokes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.db.models import Exists, Q, Subquery

from builder.base.errors import Conflict, NotAllowed, Unprocessable
from builder.models import IdentityProvider, Membership, SignIn, SignInRule, Workspace
from builder.models.prepared import Prepared
from builder.services.audit import chain as audit
from builder.services.people import sign_ins
from builder.services.permissions import Right, require

NONE: Final[Mapping[str, str]] = {}
WORDS: Final = {
    "SecondFactorNeeded": "this workspace asks for a second factor: set one up in your profile",
    "ProviderNeeded": "this workspace asks for the firm's own sign-in: sign in by it",
    "OtherSignIn": "your firm's sign-in opens its own workspace only: sign in another way",
}
RULED: Final = Prepared(
    lambda user, key: (
        Membership.objects.filter(user=user)
        .annotate(
            by=Subquery(
                SignIn.objects.filter(session_key=key, provider__isnull=False).values(
                    "provider__workspace"
                )[:1]
            ),
            second=Exists(SignIn.objects.filter(session_key=key, second_factor=True)),
        )
        .filter(~Q(workspace__sign_in=SignInRule.PASSWORD) | Q(by__isnull=False))
        .values_list("workspace_id", "workspace__sign_in", "by", "second")
    )
)


def barred(user_id: str, session_key: str | None) -> Mapping[str, str]:
    """Return which of a person's workspaces the session does not open, each with the reason's code."""
    rows = RULED.tuples(user_id, session_key or "-")
    if not rows:
        return NONE
    found = {row[0]: _reason(*row) for row in rows}
    return {workspace: reason for workspace, reason in found.items() if reason is not None}


def opens_house(user_id: str, session_key: str | None) -> bool:
    """Return whether a session opens what is of all workspaces at once, as Django admin is.

    Never one that a provider vouches for, and none that leaves a workspace of the person's shut.
    """
    by_provider = SignIn.objects.filter(session_key=session_key or "-", provider__isnull=False)
    return not by_provider.exists() and not barred(user_id, session_key)


def refuse(reason: str) -> NotAllowed:
    """Return the refusal for a reason."""
    return NotAllowed(WORDS[reason], code=reason)


def set_rule(member: Membership, session_key: str | None, rule: str) -> None:
    """Set how people have to have signed in who enter.

    Raises `Unprocessable` `WouldLockOut` unless the admin's own session would still enter.
    """
    require(member, Right.ADMIN)
    with transaction.atomic():
        workspace = Workspace.objects.select_for_update().get(pk=member.workspace_id)
        if workspace.sign_in == rule:
            return
        if rule == SignInRule.PROVIDER and not _has_provider(workspace.pk):
            raise Conflict("set up the firm's sign-in first", code="NoProvider")
        workspace.sign_in = rule
        workspace.save(update_fields=["sign_in"])
        if workspace.pk in barred(member.user_id, session_key):
            raise Unprocessable(
                "you would be locked out: sign in that way yourself first, then set it",
                code="WouldLockOut",
            )
        _tell(workspace, member.user_id)


def reset_rule(workspace: Workspace) -> None:
    """Let a password be enough again: for whoever runs the server, where a provider is broken."""
    with transaction.atomic():
        workspace.sign_in = SignInRule.PASSWORD
        workspace.save(update_fields=["sign_in"])
        _tell(workspace, None)


def _tell(workspace: Workspace, actor: str | None) -> None:
    rule = str(workspace.sign_in)
    audit.record(workspace.pk, actor, "workspace.changed", workspace.pk, sign_in=rule)
    for user_id in workspace.memberships.values_list("user", flat=True):
        sign_ins.ring(str(user_id))


def _has_provider(workspace_id: str) -> bool:
    return IdentityProvider.objects.in_workspace(workspace_id).exists()


def _reason(workspace_id: str, rule: str, by: str | None, second: bool) -> str | None:
    if by is not None:
        return None if by == workspace_id else "OtherSignIn"
    if rule == SignInRule.SECOND_FACTOR:
        return None if second else "SecondFactorNeeded"
    return "ProviderNeeded" if rule == SignInRule.PROVIDER else None
