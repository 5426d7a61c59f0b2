"""Transports that connect to judged addresses only, for HTTP clients that are not ours."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import lru_cache
from typing import Any

import httpx2

from engine.integrations.egress.failures import EgressRefused
from engine.integrations.egress.targets import VettedTarget

Vet = Callable[[str], Awaitable[VettedTarget]]

CONNECT_TIMEOUT = 5.0
"""Seconds to a connection."""
IDLE_TIMEOUT = 60.0
"""Seconds without a byte in a stream."""
STREAM_TIMEOUT = 600.0
"""Seconds of a whole stream: long model answers."""
MAX_RESPONSE = 10 * 1024 * 1024
"""Bytes of an answer, after decompression."""


@lru_cache(maxsize=1)
def tls_context() -> ssl.SSLContext:
    """Return the verification settings shared by all connections; the environment has no say."""
    return httpx2.create_ssl_context(trust_env=False)


class PinnedTransport(httpx2.AsyncBaseTransport):
    """Sends each request to the addresses that were vetted for it, with its own host name in TLS.

    `library` is the HTTP library whose requests and answers are passed on: `httpx2`, or `httpx`
    for clients that still use that. Connections are pooled per origin and address, so that no
    host ever answers on another's connection.
    """

    def __init__(
        self,
        vet: Vet,
        library: Any = httpx2,
        *,
        max_response: int = MAX_RESPONSE,
        read_timeout: float = IDLE_TIMEOUT,
    ) -> None:
        self._vet = vet
        self._library = library
        self._max_response = max_response
        self._read_timeout = read_timeout
        self._pools: dict[tuple[str, str, int, str], Any] = {}

    async def handle_async_request(self, request: Any) -> Any:
        """Return the answer; raises `EgressRefused` before anything is sent to a bad target."""
        vetted = await self._vet(str(request.url))
        request.headers["Accept-Encoding"] = "identity"
        response = await self._first_that_connects(request, vetted)
        encoding = response.headers.get("content-encoding", "identity").lower()
        if encoding != "identity":
            await response.aclose()
            raise EgressRefused(f"the answer is encoded as {encoding!r} although nobody asked")
        response.stream = _limited(self._library, response.stream, self._max_response)
        return response

    async def aclose(self) -> None:
        """Close every pooled connection."""
        pools, self._pools = self._pools, {}
        for pool in pools.values():
            await pool.aclose()

    async def _first_that_connects(self, request: Any, vetted: VettedTarget) -> Any:
        library = self._library
        for number, address in enumerate(vetted.addresses, 1):
            try:
                return await self._send(request, vetted, address)
            except (library.ConnectError, library.ConnectTimeout):
                if number == len(vetted.addresses):
                    raise
        raise EgressRefused("no address was judged")

    async def _send(self, request: Any, vetted: VettedTarget, address: str) -> Any:
        scheme, host, port = vetted.target.origin
        timeouts = dict(request.extensions.get("timeout") or {})
        timeouts["connect"] = min(timeouts.get("connect") or CONNECT_TIMEOUT, CONNECT_TIMEOUT)
        timeouts["read"] = min(timeouts.get("read") or self._read_timeout, self._read_timeout)
        pinned = self._library.Request(
            request.method,
            request.url.copy_with(host=address),
            headers=[*_without_host(request.headers.raw), (b"Host", _bytes(vetted))],
            stream=request.stream,
            extensions={**request.extensions, "timeout": timeouts, "sni_hostname": host},
        )
        return await self._pool((scheme, host, port, address)).handle_async_request(pinned)

    def _pool(self, key: tuple[str, str, int, str]) -> Any:
        pool = self._pools.get(key)
        if pool is None:
            pool = self._pools[key] = self._library.AsyncHTTPTransport(
                verify=tls_context(), trust_env=False, retries=0
            )
        return pool


def _bytes(vetted: VettedTarget) -> bytes:
    return vetted.target.authority.encode("ascii")


def _without_host(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in headers if name.lower() != b"host"]


def _limited(library: Any, stream: Any, most: int) -> Any:
    """Return the stream of an answer, ended with an error past its size or time."""
    base: Any = library.AsyncByteStream

    class Limited(base):  # type: ignore[misc]  # the base is chosen at run time
        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            deadline = asyncio.get_running_loop().time() + STREAM_TIMEOUT
            async for chunk in stream:
                size += len(chunk)
                if size > most:
                    raise EgressRefused(f"the answer is larger than {most} bytes")
                if asyncio.get_running_loop().time() > deadline:
                    raise library.ReadTimeout(f"the answer took more than {STREAM_TIMEOUT:.0f} s")
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

    return Limited()
