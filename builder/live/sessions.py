"""The websocket's first door: the browser's session, looked up in one read in a reader thread."""

from __future__ import annotations

import asyncio
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final

from channels.security.websocket import WebsocketDenier
from django.conf import settings

from builder.live import readers
from builder.live.origin import Application

PATIENCE_S: Final = 10.0
"""How long a handshake waits for its look-up; then it leaves the queue and is refused."""


class SessionDoor:
    """Puts `user` and `session_key` into the scope; without a good session both are None."""

    def __init__(self, inside: Application) -> None:
        self.inside = inside

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Pass the socket on with its person; deny it when the database does not answer."""
        key = _session_key(scope["headers"])
        try:
            async with asyncio.timeout(PATIENCE_S):
                user = None if key is None else await readers.in_reader(readers.user_of, key)
        except TimeoutError:
            return await WebsocketDenier()(scope, receive, send)
        return await self.inside({**scope, "user": user, "session_key": key}, receive, send)


def _session_key(headers: Any) -> str | None:
    """Return the session's key from the cookies, None without one."""
    for name, value in headers:
        if name != b"cookie":
            continue
        try:
            found = SimpleCookie(value.decode("latin-1")).get(settings.SESSION_COOKIE_NAME)
        except CookieError:
            return None
        if found is not None:
            return found.value
    return None
