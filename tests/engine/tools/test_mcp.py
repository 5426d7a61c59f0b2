"""MCP sources against real servers: in this process, on standard input and output, on loopback."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult, TextContent, ToolAnnotations

from engine.effects import EffectClass
from engine.egress import AllowList, Egress, EgressRefused
from engine.errors import NodeError, OutcomeUnknown, ToolFailed
from engine.tools.mcp import HttpServer, LocalServer, McpSource, StdioServer
from tests.engine.tools import mcp_stdio_server
from tests.engine.tools.origins import origin

PROGRAM = str(Path(__file__).parent / "mcp_stdio_server.py")
READS = dict.fromkeys(("hang", "die", "huge"), EffectClass.READ)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def opened(source: McpSource) -> AsyncIterator[McpSource]:
    try:
        yield source
    finally:
        await source.aclose()


def stdio(tmp_path: Path | None = None, **options: Any) -> McpSource:
    args = [PROGRAM] if tmp_path is None else [PROGRAM, str(tmp_path / "starts")]
    env = {"GREETING": "hello there", "TOKEN": "s3cr3t-value"}
    server = StdioServer(sys.executable, tuple(args), env)
    return McpSource("small", server, **options)


async def call(source: McpSource, name: str, **arguments: Any) -> Any:
    tool = await source.find(name)
    assert tool is not None
    return await tool.call(arguments, origin())


def a_server() -> MCPServer:
    server = MCPServer("local", log_level="CRITICAL")

    @server.tool(annotations=ToolAnnotations(read_only_hint=True))
    def add(a: int, b: int) -> dict[str, int]:
        """Add two numbers."""
        return {"sum": a + b}

    @server.tool(structured_output=False)
    def say(text: str) -> str:
        return text

    @server.tool(structured_output=False)
    def key(ctx: Context[Any, Any]) -> str:
        meta: Any = ctx.request_context.meta or {}
        return str(meta.get("graphwright/idempotency-key"))

    @server.tool()
    def fail() -> CallToolResult:
        return CallToolResult(
            content=[TextContent(type="text", text="the shelf is empty")], is_error=True
        )

    @server.tool()
    async def hang() -> str:
        await asyncio.Event().wait()
        return ""

    @server.tool()
    def retry_node() -> str:
        return "never"

    return server


def local(server: MCPServer | None = None, **options: Any) -> McpSource:
    return McpSource("local", LocalServer(server or a_server()), **options)


async def test_tools_are_listed_with_schema_and_hash() -> None:
    async with opened(local()) as source:
        tools = {tool.spec.name: tool.spec for tool in await source.tools()}

    assert tools["add"].description == "Add two numbers."
    assert tools["add"].source == "local"
    assert tools["add"].parameters["required"] == ["a", "b"]
    assert len({spec.hash for spec in tools.values()}) == len(tools)


@pytest.mark.parametrize(
    ("trusted", "expected"), [(True, EffectClass.READ), (False, EffectClass.UNSAFE)]
)
async def test_a_read_only_hint_counts_from_a_trusted_source_only(
    trusted: bool, expected: EffectClass
) -> None:
    async with opened(local(trusted=trusted, effects={"say": EffectClass.KEYED})) as source:
        classes = {tool.spec.name: tool.spec.effect_class for tool in await source.tools()}

    assert classes["add"] is expected
    assert classes["say"] is EffectClass.KEYED
    assert classes["hang"] is EffectClass.UNSAFE


async def test_structured_content_is_preferred_to_text() -> None:
    async with opened(local()) as source:
        assert await call(source, "add", a=5, b=3) == {"sum": 8}
        assert await call(source, "say", text="hello") == "hello"


async def test_the_idempotency_key_travels_with_the_call() -> None:
    async with opened(local()) as source:
        assert await call(source, "key") == "key-1"


async def test_a_reported_error_fails_the_tool_and_is_retryable_S18() -> None:
    """S18: A reported error fails the tool and is retryable."""
    async with opened(local()) as source:
        with pytest.raises(ToolFailed, match="local/fail: the shelf is empty") as failed:
            await call(source, "fail")

    assert failed.value.retryable


async def test_control_tools_of_a_server_are_not_there_V11() -> None:
    """V11: Control tools of a server are not there."""
    async with opened(local()) as source:
        assert await source.find("retry_node") is None
        assert "retry_node" not in [tool.spec.name for tool in await source.tools()]


async def test_a_hung_tool_ends_by_its_class_C24() -> None:
    """C24: A hung tool ends by its class."""
    async with opened(local(timeout_s=0.1)) as source:
        with pytest.raises(OutcomeUnknown, match="did not answer within"):
            await call(source, "hang")
        assert await call(source, "say", text="still here") == "still here"
    async with opened(local(timeout_s=0.1, effects=READS)) as source:
        with pytest.raises(ToolFailed, match="did not answer within"):
            await call(source, "hang")


async def test_a_cancelled_call_is_cancelled_on_the_server() -> None:
    began, ended = asyncio.Event(), asyncio.Event()
    server = MCPServer("local", log_level="CRITICAL")

    @server.tool()
    async def wait() -> str:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ""

    async with opened(local(server)) as source:
        task = asyncio.create_task(call(source, "wait"))
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(ended.wait(), 5)


async def test_the_list_is_kept_and_refreshed_when_due() -> None:
    clock, server = Clock(), a_server()
    async with opened(local(server, clock=clock)) as source:
        before = {tool.spec.name for tool in await source.tools()}
        server.add_tool(lambda: "new", name="fresh", description="New.")
        assert {tool.spec.name for tool in await source.tools()} == before
        clock.now += 61
        assert {tool.spec.name for tool in await source.tools()} == before | {"fresh"}


async def test_a_definition_that_changes_between_look_up_and_call_is_not_called() -> None:
    clock, server = Clock(), a_server()
    async with opened(local(server, clock=clock)) as source:
        tool = await source.find("say")
        assert tool is not None
        server.remove_tool("say")
        server.add_tool(lambda text: text, name="say", description="Something else.")
        clock.now += 61
        with pytest.raises(ToolFailed, match="changed on its server"):
            await tool.call({"text": "x"}, origin())


async def test_a_real_program_is_started_once_and_kept(tmp_path: Path) -> None:
    async with opened(stdio(tmp_path)) as source:
        assert not (tmp_path / "starts").exists()
        assert await call(source, "add", a=1, b=2) == {"result": 3}
        assert await call(source, "environment", variable="GREETING") == "hello there"
        await asyncio.gather(*(call(source, "pid") for _ in range(5)))
        pids = (tmp_path / "starts").read_text().split()

    assert len(pids) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(int(pids[0]), 0)


async def test_an_impatient_caller_does_not_stop_the_start_for_others(tmp_path: Path) -> None:
    async with opened(stdio(tmp_path)) as source:
        waiting = asyncio.create_task(call(source, "add", a=1, b=2))
        for _ in range(3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(source.find("add"), 0.001)
        assert await waiting == {"result": 3}

    assert len((tmp_path / "starts").read_text().split()) == 1


async def test_a_program_does_not_inherit_secrets_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    async with opened(stdio()) as source:
        assert await call(source, "environment", variable="OPENAI_API_KEY") == ""


async def test_a_dying_server_fails_the_call_and_is_started_again(tmp_path: Path) -> None:
    async with opened(stdio(tmp_path, effects=READS, timeout_s=20)) as source:
        with pytest.raises(ToolFailed, match="out of ideas") as failed:
            await call(source, "die")
        assert "s3cr3t-value" not in failed.value.message
        assert await call(source, "add", a=1, b=2) == {"result": 3}

    assert len((tmp_path / "starts").read_text().split()) == 2


async def test_a_server_that_dies_in_an_unsafe_call_leaves_it_in_doubt() -> None:
    async with opened(stdio(timeout_s=20)) as source:
        with pytest.raises(OutcomeUnknown):
            await call(source, "die")


async def test_garbage_between_messages_does_no_harm() -> None:
    async with opened(stdio()) as source:
        assert await call(source, "garbage") == "clean"


async def test_a_server_that_says_its_tools_changed_is_asked_again() -> None:
    async with opened(stdio()) as source:
        assert await source.find("fresh") is None
        await call(source, "learn")
        assert await source.find("fresh") is not None


async def test_a_huge_result_is_refused_and_not_retried() -> None:
    async with opened(stdio(effects=READS)) as source:
        assert len(await call(source, "huge", size=1_000_000)) == 1_000_000
        with pytest.raises(ToolFailed, match="bytes") as failed:
            await call(source, "huge", size=11_000_000)

    assert not failed.value.retryable


async def test_a_hung_program_is_replaced(tmp_path: Path) -> None:
    async with opened(stdio(tmp_path, effects=READS, timeout_s=1)) as source:
        first = await call(source, "pid")
        with pytest.raises(ToolFailed, match="did not answer"):
            await call(source, "hang")
        assert await call(source, "pid") != first

    assert len((tmp_path / "starts").read_text().split()) == 2


@pytest.mark.parametrize(
    ("server", "said"),
    [
        (StdioServer("no-such-program-anywhere"), "no-such-program-anywhere"),
        (
            StdioServer(sys.executable, ("-c", "raise SystemExit('the licence is missing')")),
            "licence",
        ),
        (StdioServer(sys.executable, ("-c", "print('hello'); input(); print('{]')")), "reached"),
    ],
)
async def test_a_server_that_does_not_start_says_why(server: StdioServer, said: str) -> None:
    async with opened(McpSource("broken", server, start_timeout_s=5)) as source:
        with pytest.raises(ToolFailed, match=said) as failed:
            await source.find("add")

    assert "'broken' cannot be reached" in failed.value.message
    assert failed.value.retryable


async def test_a_server_that_never_answers_does_not_hang_anyone() -> None:
    clock = Clock()
    server = StdioServer(sys.executable, ("-c", "import time; time.sleep(60)"))
    async with opened(McpSource("mute", server, start_timeout_s=0.2, clock=clock)) as source:
        for _ in range(3):  # the second and third ask nobody
            with pytest.raises(ToolFailed, match=r"no answer within 0\.2 s"):
                await source.find("add")
        assert len(source._holders) <= 1

    assert source._holders == set()


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


def test_source_names_are_plain() -> None:
    for name in ("a/b", "a__b", "", "x" * 33):
        with pytest.raises(ValueError, match="no source name"):
            McpSource(name, LocalServer(None))


async def test_lost_calls_carry_stable_codes() -> None:
    async with opened(local(timeout_s=0.05)) as source:
        with pytest.raises(NodeError) as lost:
            await call(source, "hang")
    assert lost.value.code == "OutcomeUnknown"
