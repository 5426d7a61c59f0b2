"""The door of the MCP server: who comes, from where, with how much, is looked at before it.

Everything else passes to Django. No cookie counts here, so there is nothing to forge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import orjson
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from builder.api.http.problem import MEDIA_TYPE, problem_body, trouble_body
from builder.base.database_trouble import trouble_of
from builder.base.errors import NotAllowed, NotFound, ServiceError, TooMany
from builder.doors.called.mcp.caller import MAX_BODY, Caller, put
from builder.doors.called.pool import in_pool
from builder.doors.called.scopes import Scope, require_scope
from builder.doors.called.tokens import BadToken, shown
from builder.live.origin import Application
from builder.models import Membership, Workspace
from builder.services.people.pace import PACE, caller_of

if TYPE_CHECKING:
    from builder.doors.called.mcp.server import HeldServer

PATH: Final = re.compile(r"/mcp/([A-Za-z0-9_-]{1,64})/?")


class NoToken(ServiceError):
    """Nobody says who they are."""

    status = 401


class TooLarge(ServiceError):
    """More than is taken at once."""

    status = 413


class McpDoor:
    """Answers `/mcp/<workspace>/` and passes everything else on."""

    def __init__(self, inside: Application) -> None:
        self._inside = inside
        self._server: HeldServer | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Answer a request of a program that may come; refuse any other with `problem+json`."""
        place = PATH.fullmatch(scope["path"])
        if place is None:
            return await self._inside(scope, receive, send)
        headers = _headers(scope)
        try:
            _check(scope, headers)
            caller = await in_pool(_caller, headers.get("authorization", ""), place[1])
        except ServiceError as refusal:
            return await _refuse(send, refusal)
        except Exception as error:
            if (trouble := trouble_of(error)) is None:
                raise
            status, body, extra = trouble_body(trouble)
            return await _answer(send, status, body, extra)
        server = await self._held()
        return await server.handle(put(scope, caller), receive, send)

    async def _held(self) -> HeldServer:
        """Return the server, which is loaded when it is first called.

        Its library takes as long to load as a sixth of all else, and most installations call it never.
        """
        if self._server is None:
            made = await in_pool(_loaded)
            self._server = self._server or made
        return self._server


def _loaded() -> HeldServer:
    from builder.doors.called.mcp.server import HeldServer

    return HeldServer()


def _headers(scope: Any) -> dict[str, str]:
    return {
        name.decode("latin-1").lower(): text.decode("latin-1") for name, text in scope["headers"]
    }


def _check(scope: Any, headers: dict[str, str]) -> None:
    """Refuse foreign pages, foreign names of this host, and what is too large, unread."""
    host, _port = split_domain_port(headers.get("host", ""))
    if not validate_host(host, settings.ALLOWED_HOSTS):
        raise NotAllowed("this host does not serve that name", code="HostRefused")
    origins = [text for name, text in scope["headers"] if name.lower() == b"origin"]
    if any(text.decode("latin-1").lower() not in settings.ORIGINS for text in origins):
        raise NotAllowed("pages of this origin may not call", code="OriginRefused")
    declared = headers.get("content-length", "0")
    if not (declared.isascii() and declared.isdecimal()) or int(declared[:12]) > MAX_BODY:
        raise TooLarge(f"{MAX_BODY // 1024} KiB are the most", code="InputTooLarge")
    if scope["method"] != "POST":
        raise _NotPosted("send a POST: no session is kept here", code="MethodNotAllowed")


class _NotPosted(ServiceError):
    status = 405


def _caller(authorization: str, workspace: str) -> Caller:
    """Return who calls. Raises `NoToken`, `NotAllowed`, `NotFound`, `TooMany`."""
    scheme, _, text = authorization.partition(" ")
    if scheme.lower() != "bearer":
        raise NoToken("send an API token as Authorization: Bearer", code="NotSignedIn")
    try:
        token = shown(text.strip())
    except BadToken as refused:
        raise NoToken(str(refused), code="NotSignedIn") from None
    PACE.take(caller_of(token.user_id, token.pk))
    require_scope(token, Scope.START, Scope.READ)
    rows = Workspace.objects.filter(pk=token.workspace_id)
    if workspace != token.workspace_id and not rows.filter(slug=workspace).exists():
        raise NotFound("no such workspace")
    members = Membership.objects.select_related("workspace", "user")
    member = members.filter(user=token.user_id, workspace=token.workspace_id).first()
    if member is None:
        raise NotFound("no such workspace")
    return Caller(member, token)


async def _refuse(send: Any, refusal: ServiceError) -> None:
    extra: dict[str, str] = {}
    if refusal.status == 401:
        extra["WWW-Authenticate"] = 'Bearer realm="Graphwright"'
    if refusal.status == 405:
        extra["Allow"] = "POST"
    if isinstance(refusal, TooMany):
        extra["Retry-After"] = str(refusal.retry_after_s)
    body = problem_body(refusal.status, refusal.code, refusal.message)
    await _answer(send, refusal.status, body, extra)


async def _answer(send: Any, status: int, body: dict[str, Any], extra: dict[str, str]) -> None:
    raw = orjson.dumps(body)
    headers = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", str(len(raw)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        *((name.lower().encode(), text.encode()) for name, text in extra.items()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": raw})
