"""A sign-in in steps: who has a second factor is signed in only once it was shown.

The steps are allauth's; what they begin with, a password that is right, is found out by ours.
"""

from __future__ import annotations

from typing import Final, Literal

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.internal.flows.reauthentication import (
    is_reauthentication_required,
    reauthenticate_by_password,
)
from allauth.account.internal.stagekit import clear_login, get_pending_stage
from allauth.account.models import Login
from allauth.headless.constants import Client
from allauth.headless.internal.decorators import mark_request_as_headless
from allauth.mfa.models import Authenticator
from django.contrib.auth import logout
from django.http import HttpRequest

from builder.models import User

Kind = Literal["totp", "recovery_codes", "webauthn"]
KINDS: Final[tuple[Kind, ...]] = ("totp", "recovery_codes", "webauthn")


def begin(request: HttpRequest, user: User) -> bool:
    """Sign in whose password was right, or wait for the second factor; return whether they are in.

    Whoever was signed in before is signed out: the session begins anew.
    """
    if request.user.is_authenticated:
        logout(request)
    clear_login(request)
    mark_request_as_headless(request, Client.BROWSER)
    perform_password_login(request, {"email": user.email}, Login(user=user))
    return request.user.is_authenticated


def waiting(request: HttpRequest) -> User | None:
    """Return who has shown a password in this browser and owes the second factor."""
    stage = get_pending_stage(request)
    user = None if stage is None else stage.login.user
    return user if isinstance(user, User) else None


def asked_for(request: HttpRequest) -> list[Kind]:
    """Return which factors the waiting person has."""
    user = waiting(request)
    if user is None:
        return []
    kinds = set(Authenticator.objects.filter(user=user).values_list("type", flat=True))
    return [kind for kind in KINDS if kind in kinds]


def confirm(request: HttpRequest) -> None:
    """Note that the password was shown again: for five minutes, second factors may be changed."""
    reauthenticate_by_password(request)


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether the password was shown again in the last five minutes."""
    return not is_reauthentication_required(request, app="allauth.mfa")
