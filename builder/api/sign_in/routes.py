"""The flows of allauth that are reachable: browser client only, each behind the guard.

Absent by not being here: signing in with a password, up, changing addresses and passwords, which
have ways of ours, with their lockout, audit and invitations; and the client for apps.
"""

from __future__ import annotations

from typing import Final

from allauth.headless.constants import Client
from allauth.headless.mfa import views
from django.urls import URLPattern, path

from builder.api.sign_in.guard import Guard


def _route(
    place: str,
    view: type[views.APIView],
    *,
    own: bool,
    guesses: bool = False,
    proves: bool = False,
    confirmed: bool = False,
) -> URLPattern:
    guard = Guard(view.as_api_view(client=Client.BROWSER), own, guesses, proves, confirmed)
    return path(place, guard, name=f"factors-{place.replace('/', '-')}")


def _change(place: str, view: type[views.APIView], **more: bool) -> URLPattern:
    return _route(f"account/authenticators/{place}", view, own=True, confirmed=True, **more)


urlpatterns: Final = [
    _route("auth/2fa/authenticate", views.AuthenticateView, own=False, guesses=True),
    _route("auth/webauthn/authenticate", views.AuthenticateWebAuthnView, own=False, guesses=True),
    _route("auth/webauthn/login", views.LoginWebAuthnView, own=False, guesses=True),
    _route("account/authenticators", views.AuthenticatorsView, own=True),
    _change("totp", views.ManageTOTPView, guesses=True, proves=True),
    _change("recovery-codes", views.ManageRecoveryCodesView),
    _change("webauthn", views.ManageWebAuthnView, proves=True),
]
