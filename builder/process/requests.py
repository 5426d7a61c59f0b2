"""Requests as they come in: no larger than anything here takes, and no form read on the loop."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any, Final
from urllib.parse import quote, urlsplit

from builder.process.optional_libraries import left_out
from builder.process.watch.answered import count
from engine.core.values.limits import MIB

with left_out("OpenSSL"):
    from daphne.http_protocol import HTTPFactory, WebRequest

logger = logging.getLogger("django.request")
"""Where the framework tells of the requests that it refuses."""

MAX_REQUEST: Final = 8 * MIB
"""Bytes of the largest body that anything here takes; each door has a smaller limit of its own."""
LINGER_S: Final = 2.0
"""So long what is still sent is thrown away, so that the sender reads why before the line is cut."""
LONGEST: Final = 200
"""Characters of a path that are logged."""
REFUSAL: Final = json.dumps(
    {
        "type": "about:blank",
        "title": "Request Entity Too Large",
        "status": 413,
        "code": "InputTooLarge",
        "detail": f"{MAX_REQUEST // MIB} MiB are the most that is taken here",
    }
).encode()
"""As the API would say it, which stands above this storey."""
ANSWER: Final = (
    b"HTTP/1.1 413 Request Entity Too Large\r\n"
    b"Content-Type: application/problem+json\r\n"
    b"Content-Length: %d\r\n"
    b"Connection: close\r\n\r\n%b" % (len(REFUSAL), REFUSAL)
)


class BoundedRequest(WebRequest):  # type: ignore[misc]
    """A request that is refused as soon as it is known to be too large, before it is kept."""

    def __init__(self, *args: Any, **options: Any) -> None:
        # Else the library reads forms here, for whoever sends them, while everybody waits.
        super().__init__(*args, **options, parsePOSTFormSubmission=False)
        self._taken = 0
        self._is_refused = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802
        """Refuse what says itself that it is too large."""
        super().gotLength(length)
        if length is not None and length > MAX_REQUEST:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        """Keep a piece of the body, as long as the whole may still be taken."""
        self._taken += len(data)
        if self._is_refused:
            return
        if self._taken > MAX_REQUEST:
            self._refuse()
            return
        super().handleContentChunk(data)

    def requestReceived(self, *line: bytes) -> None:  # noqa: N802
        """Hand on what came whole; what was refused is answered already."""
        if self._is_refused:
            return
        super().requestReceived(*line)
        if self.transport is None:  # it is a socket's now: nobody ends the request, a circle
            self.channel.requests.clear()

    def _refuse(self) -> None:
        self._is_refused = True
        self.content.seek(0)
        self.content.truncate()
        self.requestHeaders.removeHeader(b"Expect")
        self.channel.transport.write(ANSWER)
        self._note()
        asyncio.get_running_loop().call_later(LINGER_S, self._hang_up)

    def _note(self) -> None:
        """Count and log the refusal as the application would its own: it never hears of this request."""
        # the library reads the first line into these, and hands it on with what came whole alone
        method, target = (
            getattr(self.channel, name, b"").decode("latin-1") for name in ("_command", "_path")
        )
        path = urlsplit(target).path
        count(path, method, 413)
        logger.warning("Request Entity Too Large: %s", quote(path[:LONGEST], safe="/%"))

    def _hang_up(self) -> None:
        if self.channel is not None:
            self.channel.loseConnection()


class BoundedRequests(HTTPFactory):  # type: ignore[misc]
    """Gives each connection requests that are bounded."""

    def buildProtocol(self, address: Any) -> Any:  # noqa: N802
        """Return the protocol of a connection."""
        protocol = super().buildProtocol(address)
        protocol.requestFactory = BoundedRequest
        return protocol
