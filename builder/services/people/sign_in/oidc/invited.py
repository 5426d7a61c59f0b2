"""Who comes from a provider by an invitation: it gives role and groups, whatever the group map says.

An admin has named them, as they name whoever joins with a password: the map does not follow them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from builder.base.errors import NotAllowed, NotFound
from builder.models import Identity, IdentityProvider, Invitation, User
from builder.services.people import invitations
from builder.services.people.sign_in.oidc import arrivals


def arrive(provider: IdentityProvider, claims: Mapping[str, Any], kept: str) -> User:
    """Return the person, a member from now on; the invitation is spent with it, or neither is.

    Raises what `invitations.join` does, `NotAllowed` `OtherAddress` or `AccountOff`, `Conflict`
    `AccountExists` or `Changed`.
    """
    with arrivals.one_at_a_time():
        invitation = checked(provider, invitations.find_by_hash(kept))
        known = arrivals.known_by(provider, claims)
        if known is None:
            _check_address(provider, invitation, claims)
            user = arrivals.new_account(provider, claims, managed=False)
        else:
            user = known.user
            if invitation.email not in ("", user.email):
                raise _other_address(provider)
            Identity.objects.filter(pk=known.pk).update(managed=False, last_used_at=timezone.now())
        invitations.spend(invitation, user, provider=provider.name)
    return user


def checked(provider: IdentityProvider, invitation: Invitation) -> Invitation:
    """Return the invitation if it leads into the provider's workspace. Raises `NotFound`."""
    if invitation.workspace_id != provider.workspace_id:
        raise NotFound("this invitation leads elsewhere", code="InvitationNotFound")
    return invitation


def _check_address(
    provider: IdentityProvider, invitation: Invitation, claims: Mapping[str, Any]
) -> None:
    """Refuse an address that is another, or that the provider itself does not vouch for."""
    if not invitation.email:
        return
    email = claims.get("email")
    same = isinstance(email, str) and email.strip().lower() == invitation.email
    if not same or claims.get("email_verified") in (False, "false"):
        raise _other_address(provider)


def _other_address(provider: IdentityProvider) -> NotAllowed:
    return NotAllowed(
        f"this invitation is for another address than {provider.name} tells of you",
        code="OtherAddress",
    )
