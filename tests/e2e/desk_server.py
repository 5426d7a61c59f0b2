"""An MCP server over standard input and output: `find` reads, `book` changes something at each call.

Its argument is a folder. Each call is a line there before it answers, and waits while a file `slow`
is there.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from mcp.server.mcpserver import MCPServer

SERVER = MCPServer("desk", log_level="CRITICAL")
WORLD = Path(sys.argv[-1])


async def heard(tool: str, room: str) -> None:
    """Note a call, and be as slow as the test wants."""
    with (WORLD / f"{tool}.sent").open("a") as file:
        file.write(json.dumps({"room": room}) + "\n")
    while (WORLD / "slow").exists():  # noqa: ASYNC110 - the test is another process
        await asyncio.sleep(0.05)


@SERVER.tool()
async def find(room: str) -> dict[str, str]:
    """Say whether a room is free."""
    await heard("find", room)
    return {"free": room}


@SERVER.tool()
async def book(room: str) -> dict[str, str]:
    """Book a room, at every call."""
    await heard("book", room)
    return {"booked": room}


if __name__ == "__main__":
    SERVER.run()
