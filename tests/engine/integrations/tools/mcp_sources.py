"""MCP servers and sources for tests: in this process, and as a program."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult, TextContent, ToolAnnotations

from engine.integrations.tools.mcp import LocalServer, McpSource, StdioServer
from tests.engine.integrations.tools.origins import origin

PROGRAM = str(Path(__file__).parent / "mcp_stdio_server.py")


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
