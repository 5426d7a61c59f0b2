"""The page that carries the React app, and refusals outside the API's own views."""

from __future__ import annotations

import json
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from builder.api.errors import MEDIA_TYPE, problem_body

HOW_TO_BUILD = "npm ci --prefix frontend && npm run build --prefix frontend"


@require_safe
@ensure_csrf_cookie
def app(request: HttpRequest) -> HttpResponse:
    """Return the app's page for every address that the app draws; 503 before it is built."""
    manifest = Path(settings.FRONTEND_BUILD) / "manifest.json"
    if not settings.VITE_DEV and not manifest.is_file():
        return render(request, "not_built.html", {"command": HOW_TO_BUILD}, status=503)
    return render(request, "app.html")


def no_such_route(request: HttpRequest) -> HttpResponse:
    """Refuse an address below `/api/` that does not exist, in the API's own form."""
    return _problem(404, "NotFound", "there is no such route")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Refuse a request without a valid CSRF token."""
    return _problem(403, "CsrfFailed", "the request has no valid CSRF token")


def _problem(status: int, code: str, detail: str) -> HttpResponse:
    body = json.dumps(problem_body(status, code, detail))
    return HttpResponse(body, status=status, content_type=MEDIA_TYPE)
