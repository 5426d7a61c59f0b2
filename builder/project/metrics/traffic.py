"""Figures of this process: requests by kind of answer and how long they took, and open sockets."""

from __future__ import annotations

import time
from typing import Any, Final

from prometheus_client import Gauge, Histogram

from builder.live.origin import Application
from builder.process.watch.answered import area_of, count

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

seconds: Final = Histogram(
    "graphwright_http_request_seconds", "How long an answer took.", ("area",), buckets=SECONDS
)
sockets: Final = Gauge("graphwright_sockets_open", "Websockets that are open.")


class CountedHttp:
    """Counts what `inside` answers."""

    def __init__(self, inside: Application) -> None:
        self._inside = inside

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Hand on, and note the status; a request that nobody answered counts as 500."""
        began, status = time.perf_counter(), 500
        area = area_of(scope["path"])

        async def noting(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            return await self._inside(scope, receive, noting)
        finally:
            count(scope["path"], scope["method"], status)
            seconds.labels(area).observe(time.perf_counter() - began)


class CountedSockets:
    """Counts the sockets that are open in `inside`."""

    def __init__(self, inside: Application) -> None:
        self._inside = inside

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Hand on."""
        with sockets.track_inprogress():
            return await self._inside(scope, receive, send)
