"""A sign-in by a provider from its beginning to the session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth import login, logout
from django.http import HttpRequest

from builder.base.errors import NotAllowed, NotFound
from builder.models import IdentityProvider, User
from builder.services.people import attempts, doors, invitations
from builder.services.people.accounts import membership_of
from builder.services.people.attempts import Limit
from builder.services.people.origins import address_of
from builder.services.people.sign_in import steps
from builder.services.people.sign_in.oidc import arrivals, begun, discovery, invited, providers
from builder.services.people.sign_in.oidc.begun import Begun
from builder.services.people.sign_in.oidc.tokens import Client, Grant, claims_of, otherwise
from builder.services.people.sign_in.shown import shown_by, vouched

BACKEND: Final = "django.contrib.auth.backends.ModelBackend"
MOST_BEGUN: Final = 30
"""Sign-ins that one origin begins in a minute: each asks the provider and writes a session."""
MAX_CODE: Final = 4_000


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a sign-in is for: to go on to a page, to connect an account, to follow an invitation."""

    next: str = "/"
    connect: bool = False
    invitation: str = ""
    """The code of its link; empty where there is none."""


def begin(request: HttpRequest, provider: IdentityProvider, back: str, purpose: Purpose) -> str:
    """Return the provider's address, with what is remembered of it in this browser's session.

    Raises `TooMany`, `Unprocessable` `ProviderUnusable`; to connect, `NotAllowed` `NotSignedIn`,
    `CameByProvider` or `ConfirmFirst`, `NotFound`; with an invitation, what `find_invitation` does.
    """
    attempts.take(Limit(f"begun:{address_of(request)}", MOST_BEGUN, timedelta(minutes=1)))
    kept = ""
    if purpose.connect:
        _check_owner(request, provider)
    elif purpose.invitation:
        kept = invited.checked(provider, invitations.find_invitation(purpose.invitation)).hash
    outside = providers.outside_of(provider.workspace)
    at = discovery.discover(outside, provider.issuer)
    started = Begun(provider.pk, purpose.connect, _own_path(purpose.next), back, kept)
    begun.keep(request, started)
    return started.address(at, provider.client_id)


def finish(request: HttpRequest, said: Mapping[str, str]) -> str:
    """Let in who comes back from the provider, or connect them; return the path to go on to.

    Raises what `claims_of`, both `arrive` and `connect` do, `NotAllowed` `SignInOver` or `Declined`.
    """
    started = begun.take(request, said.get("state", ""))
    rows = IdentityProvider.objects.select_related("workspace")
    provider = rows.filter(pk=started.provider).first()
    if provider is None:
        raise NotFound("this provider is not here any more", code="SignInOver")
    if said.get("error"):
        raise NotAllowed(f"{provider.name} did not sign you in", code="Declined")
    if said.get("iss", provider.issuer) != provider.issuer:
        raise otherwise("another issuer answered")
    code = said.get("code", "")
    if not 0 < len(code) <= MAX_CODE:
        raise otherwise("it brought no code")
    with doors.passing(request):
        outside = providers.outside_of(provider.workspace)
        at = discovery.discover(outside, provider.issuer)
        client = Client(provider.client_id, providers.secret_of(provider))
        grant = Grant(code, started.verifier, started.nonce, started.redirect_uri)
        claims = claims_of(outside, at, client, grant)
        if started.connect:
            arrivals.connect(provider, claims, _check_owner(request, provider))
        else:
            _let_in(request, _arrive(provider, claims, started), provider)
    return started.next


def page_of(request: HttpRequest) -> str:
    """Return the page where what has begun here is told about if it comes to nothing."""
    if request.user.is_authenticated:
        return "/profile"
    return "/join" if begun.with_invitation(request) else "/sign-in"


def _arrive(provider: IdentityProvider, claims: Mapping[str, Any], started: Begun) -> User:
    if started.invitation:
        return invited.arrive(provider, claims, started.invitation)
    return arrivals.arrive(provider, claims)


def _let_in(request: HttpRequest, user: User, provider: IdentityProvider) -> None:
    """Open a new session that the provider alone vouches for."""
    if request.user.is_authenticated:
        logout(request)
    vouched(request, user, provider.pk)
    login(request, user, backend=BACKEND)


def _check_owner(request: HttpRequest, provider: IdentityProvider) -> User:
    """Return who is signed in by themselves, is a member there, and has just shown their password."""
    user = request.user
    if not isinstance(user, User) or not user.is_active:
        raise NotAllowed("sign in first", code="NotSignedIn")
    if shown_by(request, user).provider is not None:
        raise NotAllowed(
            "sign in with your password or passkey to connect accounts", code="CameByProvider"
        )
    membership_of(user, provider.workspace_id)
    if not steps.is_confirmed(request):
        raise NotAllowed("show your password again first", code="ConfirmFirst")
    return user


def _own_path(path: str) -> str:
    """Return a path of this site, whatever was asked for."""
    inside = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if inside else "/"
