"""The websocket's second door: a ticket in the handshake's header, in place of cookie and origin."""

from __future__ import annotations

from typing import Any

from channels.security.websocket import WebsocketDenier

from builder.live.origin import Application
from builder.live.readers import in_reader
from builder.services.people import socket_tickets as tickets


class TicketDoor:
    """Passes a socket with `Authorization: Ticket …` and without origin to `inside`.

    Browsers name an origin and cannot set that header: they go by `other`, as every other socket.
    """

    def __init__(self, inside: Application, other: Application) -> None:
        self.inside = inside
        self.other = other

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Let in whoever shows a good ticket, which is used up by that; deny any other."""
        if any(name == b"origin" for name, _ in scope["headers"]):
            return await self.other(scope, receive, send)
        shown = [value for name, value in scope["headers"] if name == b"authorization"]
        scheme, _, text = (shown[0] if len(shown) == 1 else b"").decode("latin-1").partition(" ")
        admitted = None
        if scheme.lower() == "ticket":
            admitted = await in_reader(tickets.redeem, text.strip())
        if admitted is None:
            return await WebsocketDenier()(scope, receive, send)
        user, given = admitted
        return await self.inside({**scope, "user": user, "pass": given}, receive, send)
