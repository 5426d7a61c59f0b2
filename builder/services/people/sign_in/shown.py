"""What somebody has shown of themselves in this browser's session: kept by allauth, read by us."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.mfa.models import Authenticator
from django.http import HttpRequest

from builder.base.errors import NotAllowed
from builder.models import User

BY_PROVIDER: Final = "oidc"
BY_FACTOR: Final = "mfa"
STRONG: Final = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
"""What is asked for at a sign-in; recovery codes only stand in for them."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How somebody came in: by a provider alone (its id), or by themselves, with a second factor or not."""

    second_factor: bool = False
    provider: str | None = None

    @property
    def way(self) -> str:
        """The way in a word, for the audit log."""
        if self.provider is not None:
            return "provider"
        return "second factor" if self.second_factor else "password"


def shown_by(request: HttpRequest, user: User) -> Shown:
    """Return what this session has seen of the person; a factor that is gone counts no more."""
    records = get_authentication_records(request, user)
    by_provider = [str(one["provider"]) for one in records if one.get("method") == BY_PROVIDER]
    shown = any(one.get("method") == BY_FACTOR for one in records)
    return Shown(shown and has_second_factor(user.pk), by_provider[-1] if by_provider else None)


def require_themselves(request: HttpRequest, user: User, what: str) -> None:
    """Raise `NotAllowed` `CameByProvider` where a provider alone vouches for who is signed in."""
    if shown_by(request, user).provider is not None:
        raise NotAllowed(
            f"sign in with your password or passkey to {what}: by your firm's sign-in you enter"
            " its own workspace only",
            code="CameByProvider",
        )


def has_second_factor(user_id: str) -> bool:
    """Return whether the person is asked for more than a password."""
    return bool(Authenticator.objects.filter(user=user_id, type__in=STRONG).exists())


def proved(request: HttpRequest, user: User) -> None:
    """Note that the person has just set up a second factor here, and so has shown it."""
    record_authentication(request, user, BY_FACTOR)


def vouched(request: HttpRequest, user: User, provider_id: str) -> None:
    """Note that a provider vouches for the person; before they are signed in."""
    record_authentication(request, user, BY_PROVIDER, provider=provider_id)
