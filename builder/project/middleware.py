"""Headers that every answer carries, and the id under which logs tell of a request."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from builder.services.people.sign_in import ways

ADMIN_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The admin theme evaluates attributes in the page, which the app's own policy forbids."""
PERMISSIONS: Final = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


REQUEST_ID: Final = "X-Request-ID"
GIVEN_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""What is taken over from a proxy or a caller; anything else might be made to look like log lines."""
REQUEST: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is answered here, empty elsewhere."""


class RequestIds:
    """Gives each request an id, its own where it brings one, and tells it in the answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the answer with the id."""
        given = request.headers.get(REQUEST_ID, "")
        name = given if GIVEN_ID.fullmatch(given) else uuid.uuid4().hex
        before = REQUEST.set(name)
        try:
            answer = self.get_response(request)
        finally:
            REQUEST.reset(before)
        answer.headers[REQUEST_ID] = name
        return answer


class SecurityHeaders:
    """Takes powers away that no page here needs; the API's answers are cached only if they say so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the answer with the headers set."""
        answer = self.get_response(request)
        answer.headers.setdefault("Permissions-Policy", PERMISSIONS)
        answer.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if request.path.startswith("/admin/"):
            answer.headers.setdefault("Content-Security-Policy", ADMIN_POLICY)
        if request.path.startswith("/api/"):
            answer.headers.setdefault("Cache-Control", "no-store")
        return answer


class AdminDoor:
    """Keeps sessions out of Django admin, which shows all workspaces, that do not open all of them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the answer."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponseBase | None:
        """Return a page that says why, for staff whose way of signing in is not enough."""
        match, user = request.resolver_match, request.user
        if match is None or match.namespace != "admin" or not user.is_authenticated:
            return None
        if ways.opens_house(str(user.pk), request.session.session_key):
            return None
        return render(request, "no_admin.html", {"person": user, "by": True}, status=403)
