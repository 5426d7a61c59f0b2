"""Who calls: a signed-in browser (with a CSRF token on unsafe methods) or an API token."""

from __future__ import annotations

from rest_framework import authentication, exceptions
from rest_framework.request import Request

from builder.doors.called.scopes import check_route
from builder.doors.called.tokens import BadToken, shown
from builder.models import ApiToken, User
from builder.services.people import sign_ins

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class BearerAuthentication(authentication.BaseAuthentication):
    """`Authorization: Bearer <API token>`; `request.auth` is the token's row."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the token's user, None without the header.

        Raises for a wrong token, and for one that is not for this route.
        """
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            token = shown(text.strip())
        except BadToken as refused:
            raise exceptions.AuthenticationFailed(str(refused)) from None
        match = request._request.resolver_match
        check_route(token, str(request.method), str(match.url_name if match else ""))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge that makes an anonymous refusal a 401."""
        return "Bearer"


class SessionAuthentication(authentication.SessionAuthentication):
    """The session cookie. Unsafe methods need the CSRF token, sign-in and set-up included."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """Return the session's user, None for an anonymous visitor."""
        if request.method not in SAFE:
            self.enforce_csrf(request)
        user = getattr(request._request, "user", None)
        if not isinstance(user, User) or not user.is_active:
            return None
        sign_ins.seen(request._request.session.session_key)
        return user, None

    def enforce_csrf(self, request: Request) -> None:
        """Raise `PermissionDenied` with code `CsrfFailed` without a valid token."""
        try:
            super().enforce_csrf(request)
        except exceptions.PermissionDenied as error:
            raise exceptions.PermissionDenied(str(error.detail), code="CsrfFailed") from None
