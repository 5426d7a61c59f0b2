"""Daphne on a socket that was opened before anything else, and sockets that may say long things."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable
from typing import Any, ClassVar, Final

from builder.process.optional_libraries import left_out
from builder.process.requests import BoundedRequests
from engine.core.values.limits import MAX_SOCKET_FRAME

with left_out("OpenSSL"):
    from daphne.server import Server
    from daphne.ws_protocol import WebSocketProtocol
    from twisted.internet import reactor

BACKLOG: Final = 1024
HANDSHAKE_S: Final = 20
MAX_WAITING: Final = 1024 * 1024
"""Bytes that wait for the client of a socket; who sends it more waits until it has read."""
PIECE: Final = 256 * 1024
"""Bytes of a body that are handed on at once; the library's own 8 KiB cost more than they carry."""
LOOK_S: Final = 0.05
REASONS: Final = {
    errno.EADDRINUSE: "another program listens there: end it, or choose another port with --port",
    errno.EACCES: "only an administrator may listen there: choose a port above 1023 with --port",
    errno.EADDRNOTAVAIL: "this machine does not have that address: choose one with --host",
}


class CannotListen(RuntimeError):
    """The address cannot be listened at; the message says why and what to do."""


def opened(host: str, port: int, *, share: bool = False) -> socket.socket:
    """Return a socket that listens at the address; port 0 takes a free one.

    Who connects now waits until the server runs. Processes that `share` an address get its
    callers by turns, as the kernel deals them out. Raises `CannotListen`.
    """
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
        family, _, _, _, address = found[0]
        return socket.create_server(address[:2], family=family, backlog=BACKLOG, reuse_port=share)
    except (OSError, OverflowError, ValueError) as error:
        reason = REASONS.get(getattr(error, "errno", None) or 0, str(error))
        raise CannotListen(f"cannot listen at {host}, port {port}: {reason}") from error


class Voice(WebSocketProtocol):  # type: ignore[misc]
    """A websocket whose limit of length holds for what comes in, as it was meant to."""

    CONFIG_ATTRS: ClassVar[tuple[str, ...]] = ()
    """None for the library, which pretty-prints them at each handshake, for a log that is off: an
    eighth of what a handshake cost."""
    maxMessagePayloadSize: int  # noqa: N815  (the library's name)

    def connectionMade(self) -> None:  # noqa: N802
        """Take over the factory's options."""
        for name in WebSocketProtocol.CONFIG_ATTRS:
            setattr(self, name, getattr(self.factory, name))
        super().connectionMade()

    def connectionLost(self, *reason: Any) -> None:  # noqa: N802
        """End; what says so to who may have waited for it refers to the socket, a circle."""
        super().connectionLost(*reason)
        self.is_closed = None

    def sendMessage(self, payload: bytes, *args: Any, **options: Any) -> None:  # noqa: N802
        """Send a message, however long."""
        limit = self.maxMessagePayloadSize
        self.maxMessagePayloadSize = 0
        try:
            super().sendMessage(payload, *args, **options)
        finally:
            self.maxMessagePayloadSize = limit

    def waiting(self) -> int:
        """Return how many bytes the client has not taken yet; none once it is gone."""
        transport = self.transport
        if transport is None or self.state == self.STATE_CLOSED:
            return 0
        # the transport keeps what it could not write in two places, and tells only a mark of 64 KiB
        return int(len(transport.dataBuffer) - transport.offset + transport._tempDataLen)


class WebServer(Server):  # type: ignore[misc]
    """Serves an application on an open socket until the process is told to end."""

    def __init__(self, application: Callable[..., Any], listening: socket.socket) -> None:
        super().__init__(
            application=application,
            endpoints=["the open socket"],
            ready_callable=self._adopt,
            websocket_timeout=-1,
            websocket_connect_timeout=HANDSHAKE_S,
            websocket_handshake_timeout=HANDSHAKE_S,
            websocket_max_message_size=MAX_SOCKET_FRAME,
            websocket_max_frame_size=MAX_SOCKET_FRAME,
            request_buffer_size=PIECE,
            verbosity=0,
        )
        self.endpoints: list[str] = []
        self._listening = listening

    async def handle_reply(self, protocol: Any, message: Any) -> None:
        """Pass on what the application says; a socket whose client does not read is waited for.

        How long is the application's business: the wait ends with the task that sends.
        """
        await super().handle_reply(protocol, message)
        if isinstance(protocol, Voice):
            while protocol.waiting() > MAX_WAITING:  # noqa: ASYNC110  (nothing tells of less)
                await asyncio.sleep(LOOK_S)

    def _adopt(self) -> None:
        self.ws_factory.protocol = Voice
        self.http_factory = BoundedRequests(self)
        self._listening.setblocking(False)
        reactor.adoptStreamPort(self._listening.fileno(), self._listening.family, self.http_factory)
