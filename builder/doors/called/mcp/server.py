"""The MCP server: any process answers any request, as each brings all that is needed."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from weakref import WeakKeyDictionary

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError

from builder.doors.called.mcp.caller import MAX_BODY, caller_of
from builder.doors.called.mcp.calls import NoSuchTool, call
from builder.doors.called.mcp.tools import tools_of
from builder.doors.called.pool import in_pool

INSTRUCTIONS: Final = (
    "Each tool starts a workflow. A workflow may wait for people: then its answer says for whom and "
    "where they decide, and run_status tells later what came of it. Nothing here decides for them. "
    "Send the same idempotencyKey in _meta when you repeat a call."
)
Context = ServerRequestContext[Any, Any]


async def _list_tools(
    ctx: Context, _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    return types.ListToolsResult(tools=await in_pool(tools_of, caller_of(ctx.request)))


async def _call_tool(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    meta = dict(ctx.meta or {})
    try:
        return await call(
            caller_of(ctx.request),
            params.name,
            params.arguments or {},
            meta,
            ctx.session.report_progress,
        )
    except NoSuchTool:
        message = f"there is no tool {params.name[:80]!r} here"
        raise MCPError(types.INVALID_PARAMS, message) from None


def _server() -> Server[Any]:
    return Server(
        "graphwright",
        title="Graphwright",
        instructions=INSTRUCTIONS,
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
    )


class HeldServer:
    """The server with its tasks, which a task of ours holds open: Daphne tells no beginning and no end.

    One for each event loop, made when its first request comes.
    """

    def __init__(self) -> None:
        self._running: WeakKeyDictionary[
            asyncio.AbstractEventLoop, tuple[StreamableHTTPSessionManager, asyncio.Task[None]]
        ] = WeakKeyDictionary()

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        manager = await self._manager()
        await manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        """End what is held on this loop."""
        found = self._running.pop(asyncio.get_running_loop(), None)
        if found is not None:
            found[1].cancel()
            await asyncio.gather(found[1], return_exceptions=True)

    async def _manager(self) -> StreamableHTTPSessionManager:
        loop = asyncio.get_running_loop()
        known = self._running.get(loop)
        if known is not None and not known[1].done():
            return known[0]
        manager = StreamableHTTPSessionManager(
            _server(), stateless=True, max_request_body_size=MAX_BODY
        )
        ready: asyncio.Future[None] = loop.create_future()
        task = asyncio.create_task(_hold(manager, ready))
        self._running[loop] = (manager, task)
        await ready
        return manager


async def _hold(manager: StreamableHTTPSessionManager, ready: asyncio.Future[None]) -> None:
    async with manager.run():
        ready.set_result(None)
        await asyncio.Event().wait()
