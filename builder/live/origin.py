"""Lets a websocket in only from our own pages: the whole origin must be one that is configured."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Any

from channels.security.websocket import WebsocketDenier

Application = Callable[[Any, Any, Any], Awaitable[Any]]


class ExactOrigin:
    """Compares scheme, host and port as text; a missing or repeated origin is refused."""

    def __init__(self, application: Application, origins: Collection[str]) -> None:
        self.application = application
        self.origins = frozenset(origins)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Pass a socket from an allowed origin on, deny any other."""
        given = [value for name, value in scope["headers"] if name == b"origin"]
        if len(given) == 1 and given[0].decode("latin-1").lower() in self.origins:
            return await self.application(scope, receive, send)
        return await WebsocketDenier()(scope, receive, send)
