"""What the generated schema says beside each view's answer: how callers sign in, how it refuses."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework.permissions import AllowAny

from builder.api.http.schema.problem_schema import Problem

PROBLEM_TYPE: Final = "application/problem+json"
READING: Final = (400, 403, 404, 406, 429, 503)
"""How every route may refuse: a wrong parameter, a right, no such thing, an `Accept` header that
nothing fits, too many requests, no engine or database."""
CHANGING: Final = (409, 413, 415, 422, 507)
"""How a route that changes something may refuse besides: its body, its conflicts, a full disk."""


def with_csv(answer: Any) -> dict[tuple[int, str], Any]:
    """Return the answers of a route that gives its figures as JSON, or with `format=csv` as rows."""
    return {(200, "application/json"): answer, (200, "text/csv"): str}


class ApiSchema(AutoSchema):
    """Adds to every operation the refusals that it shares with all others of its kind."""

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for status in self._refusals():
            bodies.setdefault(str(status), self._refusal(status, direction))
        return bodies

    def _refusals(self) -> list[int]:
        own = () if AllowAny in self.view.permission_classes else (401,)
        more = getattr(self.view, "refusals", ())
        changing = () if self.method == "GET" else CHANGING
        return sorted({*READING, *own, *more, *changing})

    def _refusal(self, status: int, direction: Any) -> dict[str, Any]:
        shown: dict[str, Any] = self._get_response_for_code(  # type: ignore[no-untyped-call]
            Problem, str(status), [PROBLEM_TYPE], direction
        )
        return {**shown, "description": HTTPStatus(status).phrase}


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """API tokens."""

    target_class = "builder.api.http.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the scheme's description."""
        return {"type": "http", "scheme": "bearer"}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The browser's session."""

    target_class = "builder.api.http.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the scheme's description."""
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}
