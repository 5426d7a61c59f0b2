"""A server on loopback that answers everything with the way to another address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass
class Leading:
    """Where it is, where it leads, and how often it was asked."""

    port: int = 0
    target: str = ""
    asked: int = 0

    @property
    def address(self) -> str:
        """Its origin."""
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def leading() -> AsyncIterator[Leading]:
    """Serve while the block lasts."""
    here = Leading()
    answer = b"HTTP/1.1 302 Found\r\nLocation: %b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        here.asked += 1
        writer.write(answer % here.target.encode())
        await writer.drain()
        writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    here.port = listener.sockets[0].getsockname()[1]
    try:
        yield here
    finally:
        listener.close()
