"""MCP sources over streamable HTTP, through the one way out."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from mcp.server.mcpserver import Context, MCPServer

from engine.core.errors import OutcomeUnknown, ToolFailed
from engine.integrations.egress import AllowList, Egress, EgressRefused
from engine.integrations.tools.mcp import HttpServer, McpSource
from tests.engine.integrations.tools import mcp_stdio_server
from tests.engine.integrations.tools.mcp_sources import Clock, a_server, call, opened
from tests.engine.integrations.tools.origins import origin


@asynccontextmanager
async def loopback(server: MCPServer | Any, port: int = 0) -> AsyncIterator[str]:
    """Serve a server or an ASGI app on loopback; leaving breaks every connection."""
    bound = socket.create_server(("127.0.0.1", port))
    app = server.streamable_http_app() if isinstance(server, MCPServer) else server
    config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=0)
    serving = uvicorn.Server(config)
    task = asyncio.create_task(serving.serve([bound]))  # the backlog holds who comes early
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}/mcp"
    finally:
        serving.should_exit = True
        await task


def over_http(url: str, **options: Any) -> McpSource:
    return McpSource("web", HttpServer(url), egress=Egress(AllowList.of([url])), **options)


async def test_streamable_http_through_the_egress() -> None:
    async with loopback(a_server()) as url, opened(over_http(url)) as source:
        assert await call(source, "add", a=5, b=3) == {"sum": 8}
        assert await call(source, "say", text="hi") == "hi"
        with pytest.raises(ToolFailed, match="shelf"):
            await call(source, "fail")


def broken_http(status: int, content: bytes) -> Any:
    """Return an app that speaks the protocol until a tool is called."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body = b""
        more = True
        while more:
            part = await receive()
            body, more = body + part.get("body", b""), part.get("more_body", False)
        message = json.loads(body) if body else {}
        code, reply = 405, b""
        if message.get("method") == "tools/call":
            code, reply = status, content
        elif "id" in message:
            result = mcp_stdio_server.answer(message["method"], message.get("params") or {})
            refused = {"error": {"code": -32601, "message": "?"}}
            given = {"jsonrpc": "2.0", "id": message["id"]}
            given |= refused if result is None else {"result": result}
            code, reply = 200, json.dumps(given).encode()
        elif message:
            code = 202
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": code, "headers": headers})
        await send({"type": "http.response.body", "body": reply})

    return app


@pytest.mark.parametrize(
    ("status", "content"), [(502, b"bad gateway"), (200, b"{]"), (200, b"[1, 2]")]
)
async def test_an_answer_that_is_none_is_told_by_the_effect_class(
    status: int, content: bytes
) -> None:
    async with loopback(broken_http(status, content)) as url:
        async with opened(over_http(url)) as source:
            with pytest.raises(OutcomeUnknown):
                await call(source, "pid")
        async with opened(over_http(url, trusted=True)) as source:
            with pytest.raises(ToolFailed):
                await call(source, "add", a=1, b=2)


async def test_an_address_that_is_not_allowed_is_never_asked() -> None:
    async with loopback(a_server()) as url:
        source = McpSource("web", HttpServer(url), egress=Egress())
        with pytest.raises(EgressRefused):
            await source.find("add")
        await source.aclose()


async def test_a_server_that_went_away_is_reached_again_when_it_is_back() -> None:
    clock = Clock()
    async with loopback(a_server()) as url:
        source = over_http(url, clock=clock)
        assert await call(source, "say", text="one") == "one"
        tool = await source.find("say")
    assert tool is not None
    with pytest.raises(ToolFailed, match=r"gone|reached"):
        await tool.call({"text": "two"}, origin())
    clock.now += 10
    port = int(url.rsplit(":", 1)[1].partition("/")[0])
    async with loopback(a_server(), port):
        assert await call(source, "say", text="three") == "three"
        await source.aclose()


async def test_a_credential_is_sent_and_never_comes_back() -> None:
    server = MCPServer("echo", log_level="CRITICAL")

    @server.tool(structured_output=False)
    def headers(ctx: Context[Any, Any]) -> str:
        request: Any = ctx.request_context.request
        return str(request.headers.get("authorization"))

    async def credentials(name: str, url: str) -> dict[str, str]:
        assert name == "crm"
        return {"Authorization": "Bearer very-secret-token"}

    async with loopback(server) as url:
        egress = Egress(AllowList.of([url]))
        source = McpSource(
            "web", HttpServer(url, credential="crm"), egress=egress, credentials=credentials
        )
        async with opened(source):
            assert await call(source, "headers") == "[crm]"
