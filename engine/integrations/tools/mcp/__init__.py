"""Tools of MCP servers: `McpSource` is one server, connected when first needed.

One source belongs to one event loop. The library is imported when a server is first reached.
"""

from __future__ import annotations

from engine.integrations.tools.mcp.servers import (
    HttpServer,
    LocalServer,
    McpServer,
    SecretHeader,
    StdioServer,
)
from engine.integrations.tools.mcp.source import McpSource, McpTool

__all__ = [
    "HttpServer",
    "LocalServer",
    "McpServer",
    "McpSource",
    "McpTool",
    "SecretHeader",
    "StdioServer",
]
