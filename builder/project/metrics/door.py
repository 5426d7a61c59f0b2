"""`/metrics`: figures for Prometheus, for who has the token or sits at this machine."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import orjson
from django.conf import settings
from django.db import connection
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from builder.api.http.problem import MEDIA_TYPE, problem_body
from builder.live.origin import Application
from builder.project.metrics.figures import Installation
from builder.services.people.sign_in.gate import FORWARDED

PATH: Final = "/metrics"
_UP: Final = b"# TYPE graphwright_database_up gauge\ngraphwright_database_up %d\n"
PATIENCE_S: Final = 10.0
REFUSED: Final = "set METRICS_TOKEN at the server and send it as a bearer token"

log = logging.getLogger("graphwright.metrics")


class MetricsDoor:
    """Answers the one address and passes everything else on."""

    def __init__(self, inside: Application) -> None:
        self._inside = inside
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="metrics")
        self._registry = CollectorRegistry()
        self._registry.register(Installation())

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        """Answer 200 with the figures, 403 to others; without a database those of the process alone."""
        if scope["path"] != PATH or scope["method"] not in ("GET", "HEAD"):
            return await self._inside(scope, receive, send)
        if not may_read(scope):
            refusal = problem_body(403, "MetricsRefused", REFUSED)
            return await _answer(send, 403, MEDIA_TYPE, orjson.dumps(refusal))
        body = generate_latest(REGISTRY) + await self._installation()
        shown = b"" if scope["method"] == "HEAD" else body
        return await _answer(send, 200, CONTENT_TYPE_PLAIN_0_0_4, shown)

    async def _installation(self) -> bytes:
        asked = asyncio.wrap_future(self._thread.submit(self._read))
        try:
            async with asyncio.timeout(PATIENCE_S):
                return _UP % 1 + await asyncio.shield(asked)
        except Exception as error:  # noqa: BLE001  (whatever it is: the figures are not to be had)
            log.warning("figures of the installation could not be read: %r", error)
            return _UP % 0

    def _read(self) -> bytes:
        connection.close_if_unusable_or_obsolete()
        try:
            return generate_latest(self._registry)
        except Exception:
            connection.close()
            raise


def may_read(scope: Any) -> bool:
    """Return whether a request has the token; without one, whether it is this machine's own.

    What a proxy passes on is never this machine's own.
    """
    headers = {name.decode("latin-1").lower(): value for name, value in scope["headers"]}
    if settings.METRICS_TOKEN:
        given = headers.get("authorization", b"")
        return secrets.compare_digest(given, f"Bearer {settings.METRICS_TOKEN}".encode())
    if settings.BEHIND_PROXY or any(name.lower() in headers for name in FORWARDED):
        return False
    host, _port = scope.get("client") or ("", 0)
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def _answer(send: Any, status: int, media_type: str, body: bytes) -> None:
    headers = [(b"content-type", media_type.encode()), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
