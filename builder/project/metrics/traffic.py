"""Figures of this process: requests by kind of answer and how long they took, and open sockets."""

from __future__ import annotations

import time
from typing import Any, Final

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

from builder.live.origin import Application

disable_created_metrics()  # type: ignore[no-untyped-call]  # when each began to be counted: as many lines again, and nobody asks
SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
AREAS: Final = frozenset({"api", "admin", "static", "healthz", "readyz", "metrics"})

requests: Final = Counter(
    "graphwright_http_requests", "Requests that were answered.", ("area", "method", "status")
)
seconds: Final = Histogram(
    "graphwright_http_request_seconds", "How long an answer took.", ("area",), buckets=SECONDS
)
sockets: Final = Gauge("graphwright_sockets_open", "Websockets that are open.")

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


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
            method = scope["method"] if scope["method"] in METHODS else "other"
            requests.labels(area, method, str(status)).inc()
            seconds.labels(area).observe(time.perf_counter() - began)


class CountedSockets:
    """Counts the sockets that are open in `inside`."""

    def __init__(self, inside: Application) -> None:
        self._inside = inside

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Hand on."""
        with sockets.track_inprogress():
            return await self._inside(scope, receive, send)


def area_of(path: str) -> str:
    """Return what a request is for: the first part of its path where we know it, else `page`."""
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    return first if first in AREAS else "page"
