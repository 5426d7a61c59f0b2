"""How long a call may take: what its caller says, up to ten minutes, silence included."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from engine.integrations.egress import AllowList, Egress, HttpUnavailable, client, transport
from engine.integrations.egress.transport import PinnedTransport
from tests.engine.integrations.tools.mcp_sources import a_server, call, opened
from tests.engine.integrations.tools.test_mcp_http import loopback, over_http

pytestmark = pytest.mark.asyncio

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"


@asynccontextmanager
async def slow(seconds: float) -> AsyncIterator[str]:
    """Serve one that thinks before it answers."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        await asyncio.sleep(seconds)
        writer.write(ANSWER)
        writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    finally:
        listener.close()


async def test_a_caller_may_wait_longer_than_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "TOTAL_TIMEOUT", 0.01)
    monkeypatch.setattr(transport, "IDLE_TIMEOUT", 0.01)

    async with slow(0.05) as url:
        egress = Egress(AllowList.of([url]))
        assert (await egress.request("GET", url, timeout_s=5)).body == b"ok"
        with pytest.raises(HttpUnavailable, match="in time"):
            await egress.request("GET", url, timeout_s=0.01)


async def test_nobody_waits_longer_than_the_longest_call(monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.LONGEST_CALL == 600
    monkeypatch.setattr(client, "LONGEST_CALL", 0.01)

    async with slow(0.5) as url:
        with pytest.raises(HttpUnavailable, match="in time"):
            await Egress(AllowList.of([url])).request("GET", url, timeout_s=3600)


@pytest.mark.parametrize(("asked", "allowed"), [(300, 300), (20, 20), (3600, 600)])
async def test_silence_of_the_other_side_is_allowed_as_long(
    monkeypatch: pytest.MonkeyPatch, asked: float, allowed: float
) -> None:
    seen: list[float] = []

    class Pool:
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            seen.append(request.extensions["timeout"]["read"])
            return httpx2.Response(200, stream=httpx2.ByteStream(b"ok"))

        async def aclose(self) -> None:
            pass

    monkeypatch.setattr(PinnedTransport, "_pool", lambda *_: Pool())
    egress = Egress(AllowList.of(["http://127.0.0.1:9"]))

    await egress.request("GET", "http://127.0.0.1:9", timeout_s=asked)
    async with egress.client(timeout=allowed) as mine:
        await mine.get("http://127.0.0.1:9")

    assert seen == [allowed, allowed]


async def test_a_server_of_tools_may_be_silent_as_long_as_a_call_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[Any] = []
    real = Egress.client

    def noted(self: Egress, library: Any = httpx2, **options: Any) -> Any:
        waits.append(options["timeout"])
        return real(self, library, **options)

    monkeypatch.setattr(Egress, "client", noted)
    async with loopback(a_server()) as url, opened(over_http(url)) as source:
        assert await call(source, "add", a=1, b=2) == {"sum": 3}

    assert waits == [client.LONGEST_CALL]
