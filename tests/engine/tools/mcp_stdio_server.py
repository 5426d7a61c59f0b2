"""A small MCP server on standard input and output; started by the tests of `McpSource`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations

server = MCPServer("small", log_level="CRITICAL")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool(structured_output=False)
def environment(name: str) -> str:
    """Read a variable."""
    return os.environ.get(name, "")


@server.tool(structured_output=False)
def pid() -> str:
    """Say who runs."""
    return str(os.getpid())


@server.tool()
def die() -> str:
    """End the server in the middle of a call."""
    sys.stderr.write("out of ideas, token s3cr3t-value\n")
    sys.stderr.flush()
    os._exit(3)


@server.tool()
def hang() -> str:
    """Never answer, and keep the whole server from answering."""
    time.sleep(3600)
    return ""


@server.tool(structured_output=False)
def garbage() -> str:
    """Write something that is no message, then answer."""
    os.write(1, b"this is no message\n{]\n")
    return "clean"


@server.tool(structured_output=False)
def huge(size: int) -> str:
    """Answer with much text."""
    return "x" * size


if __name__ == "__main__":
    if len(sys.argv) > 1:
        starts = Path(sys.argv[1])
        starts.write_text(f"{starts.read_text() if starts.exists() else ''}{os.getpid()}\n")
    server.run("stdio")
