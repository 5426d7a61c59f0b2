"""A small shop's document, and a server on loopback that writes down what it is asked."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn

SHOP: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Shop", "version": "1"},
    "servers": [
        {"url": "https://{region}.shop.example/v1", "variables": {"region": {"default": "eu"}}}
    ],
    "paths": {
        "/orders/{id}": {
            "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
            ],
            "get": {
                "operationId": "getOrder",
                "summary": "Finds an order.",
                "parameters": [
                    {
                        "name": "fields",
                        "in": "query",
                        "schema": {"type": "array", "items": {"type": "string"}},
                    },
                    {
                        "name": "tags",
                        "in": "query",
                        "explode": False,
                        "schema": {"type": "array", "items": {"type": "string"}},
                    },
                    {
                        "name": "filter",
                        "in": "query",
                        "style": "deepObject",
                        "schema": {"type": "object"},
                    },
                    {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                    {"name": "Authorization", "in": "header", "schema": {"type": "string"}},
                    {"name": "who", "in": "cookie", "schema": {"type": "string"}},
                ],
            },
        },
        "/orders": {
            "post": {
                "operationId": "create order!",
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Order"}}
                    },
                },
            }
        },
    },
    "components": {
        "schemas": {
            "Order": {
                "type": "object",
                "required": ["amount"],
                "properties": {
                    "amount": {"type": "number", "minimum": 0, "exclusiveMinimum": True},
                    "note": {"type": "string", "nullable": True},
                    "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Order"}},
                },
            }
        },
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Shop-Key"}},
    },
}


def text_of(**changes: Any) -> str:
    """Return the shop's document as text, some of its fields replaced."""
    return json.dumps(SHOP | changes)


@dataclass
class Recorder:
    """What came in, and what is answered."""

    url: str = ""
    calls: list[dict[str, Any]] = field(default_factory=list)
    status: int = 200
    content: bytes = b'{"ok": true}'
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "application/json"})

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            part = await receive()
            body, more = body + part.get("body", b""), part.get("more_body", False)
        self.calls.append(
            {
                "method": scope["method"],
                "path": scope["raw_path"].decode().partition("?")[0],
                "query": scope["query_string"].decode(),
                "headers": {name.decode(): value.decode() for name, value in scope["headers"]},
                "body": body.decode(),
            }
        )
        raw = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": raw})
        await send({"type": "http.response.body", "body": self.content})


@asynccontextmanager
async def recording() -> AsyncIterator[Recorder]:
    """Serve a recorder on loopback."""
    recorder = Recorder()
    bound = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(recorder, log_level="critical", timeout_graceful_shutdown=0)
    serving = uvicorn.Server(config)
    task = asyncio.create_task(serving.serve([bound]))
    recorder.url = f"http://127.0.0.1:{bound.getsockname()[1]}"
    try:
        yield recorder
    finally:
        serving.should_exit = True
        await task


@contextmanager
def recorded() -> Iterator[Recorder]:
    """Serve an API that writes down what it is asked, on a thread of its own."""
    ready, ended = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()
    found: list[Recorder] = []

    async def serve() -> None:
        async with recording() as recorder:
            found.append(recorder)
            ready.set()
            await ended.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(30)
        yield found[0]
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(30)
