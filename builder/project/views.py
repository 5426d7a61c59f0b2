"""The page that carries the React app, and refusals outside the API's own views."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt, ensure_csrf_cookie
from django.views.decorators.http import require_safe
from django.views.defaults import page_not_found

from builder.api.http.problem import MEDIA_TYPE, problem_body, trouble_body
from builder.base.database_trouble import trouble_of
from builder.doors.called.openai.answers import error_body

HOW_TO_BUILD = "npm ci --prefix frontend && npm run build --prefix frontend"


@require_safe
@ensure_csrf_cookie
def app(request: HttpRequest) -> HttpResponse:
    """Return the app's page, which draws the address; 503 before it is built."""
    manifest = Path(settings.FRONTEND_BUILD) / "manifest.json"
    if not settings.VITE_DEV and not manifest.is_file():
        return render(request, "not_built.html", {"command": HOW_TO_BUILD}, status=503)
    social_image = request.build_absolute_uri(static("brand/social.png"))
    return render(request, "app.html", {"social_image": social_image})


def admin_login(request: HttpRequest) -> HttpResponse:
    """Send who wants into Django admin to the one page where people sign in, and back from there."""
    wanted = request.GET.get("next", "")
    host = {request.get_host()}
    safe = url_has_allowed_host_and_scheme(wanted, host, require_https=request.is_secure())
    next_page = wanted if safe and wanted.startswith("/admin/") else "/admin/"
    if next_page.startswith(request.path):
        next_page = "/admin/"
    if not request.user.is_authenticated:
        return redirect(f"/sign-in?{urlencode({'next': next_page})}")
    if not (request.user.is_active and request.user.is_staff):
        return render(request, "no_admin.html", {"person": request.user}, status=403)
    return redirect(next_page)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404 for an address that nothing has: to browsers the app, which says so."""
    if request.path.startswith("/admin/"):
        return page_not_found(request, exception)
    if request.method in ("GET", "HEAD") and "text/html" in request.headers.get("Accept", ""):
        page = app(request)
        if page.status_code == 200:
            page.status_code = 404
            return page
    return _problem(404, "NotFound", "there is nothing at this address")


@csrf_exempt  # a token has no CSRF token, and there is nothing here to protect
def no_such_route(request: HttpRequest) -> HttpResponse:
    """Refuse an address below `/api/` that does not exist, in the API's own form."""
    return _problem(404, "NotFound", "there is no such route")


@csrf_exempt
def no_such_v1(request: HttpRequest) -> HttpResponse:
    """Refuse an address below `/v1/` that is not served, as OpenAI's clients read it."""
    told = error_body(404, "unknown_url", f"{request.method} {request.path[:200]} is not served")
    return JsonResponse(told, status=404)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Refuse a request without a valid CSRF token."""
    return _problem(403, "CsrfFailed", "the request has no valid CSRF token")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Refuse what Django itself cannot take, such as a host by whose name the app is not called."""
    if isinstance(exception, DisallowedHost):
        cure = "the host is not one of ALLOWED_HOSTS, by which this server may be called"
        return _problem(400, "HostNotAllowed", cure)
    return _problem(400, "BadRequest", "the request cannot be read")


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer what nothing else answered: a database in trouble by name, anything else as 500.

    Also where a middleware could not read the session, so that no page of HTML comes to a client.
    """
    trouble = trouble_of(sys.exc_info()[1])
    if trouble is None:
        return _problem(500, "ServerError", "the server failed at this; its log says where")
    status, body, headers = trouble_body(trouble)
    return HttpResponse(json.dumps(body), status=status, headers=headers, content_type=MEDIA_TYPE)


def _problem(status: int, code: str, detail: str) -> HttpResponse:
    body = json.dumps(problem_body(status, code, detail))
    return HttpResponse(body, status=status, content_type=MEDIA_TYPE)
