"""HTTP in one hop: a request is read on the loop and answered whole in a thread that is kept.

Django's own handler makes a thread and a connection for each request and goes back and forth
between loop and thread for each middleware. Here the chain is synchronous, from the first
middleware to the view, and a thread keeps its connection for the next request.

Large bodies are taken in with the loop left between their pieces, and few are answered at once;
so are the calls of other programs, starts of runs, and the lists that all pages ask for: a person
who decides stands behind none of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, Final
from weakref import WeakKeyDictionary

from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import HttpResponse, HttpResponseBase
from django.urls import set_script_prefix

from engine.core.values.limits import MAX_IMPORT

THREADS: Final = 32
"""Requests that are answered at once; others wait. A request that waits for the engine waits here."""

LARGE_BYTES: Final = 64 * 1024
FEW: Final = THREADS // 4
"""Requests with a larger body that are answered at once: the other threads are for the rest."""
PROGRAMS: Final = ("/v1/", "/hooks/")
"""Where other programs start runs: as many of their calls are answered at once."""
STARTS: Final = ("/api/graphs/", "/runs/")
"""How the address begins and ends at which pages and scripts start runs; the engine works for each."""
LISTS: Final = ("/api/interrupts/", "/api/runs/")
"""What pages ask for again and again: work for the interpreter, which does one thing at a time."""
MOST: Final = {"programs": FEW, "starts": FEW, "large": FEW, "exports": FEW, "lists": 3}
"""Requests of a lane that are answered at once. Each more would make the others slower, and the
engine and every decision beside them (docs/performance.md)."""

Body = IO[bytes]
_pool = ThreadPoolExecutor(THREADS, thread_name_prefix="request")


class PooledHandler(ASGIHandler):
    """An ASGI application like Django's own, with a synchronous chain on pooled threads."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self._lanes: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Semaphore]]
        self._lanes = WeakKeyDictionary()
        self.load_middleware(is_async=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request; who leaves before the answer is not waited for."""
        try:
            body = await self.read_body(receive, most_of(scope["path"]))
        except RequestAborted:
            return
        answering = asyncio.ensure_future(self._serve_in_turn(scope, body, send))
        leaving = asyncio.ensure_future(receive())
        try:
            await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            answering.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await answering

    async def read_body(self, receive: Any, most: int | None = None) -> Body:
        """Return the whole body, of one that is longer than `most` its first bytes, more than that.

        Raises `RequestAborted`. It came in whole before this began, so that its pieces are all
        there: taken in one go, many large ones would keep the loop from everybody.
        """
        pieces: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RequestAborted
            piece = message.get("body", b"")
            if most is None or size <= most:
                pieces.append(piece)
                size += len(piece)
            if not message.get("more_body", False):
                return io.BytesIO(pieces[0] if len(pieces) == 1 else b"".join(pieces))
            await asyncio.sleep(0)

    async def _serve_in_turn(self, scope: Any, body: Body, send: Any) -> None:
        size = body.seek(0, io.SEEK_END)
        body.seek(0)
        loop = asyncio.get_running_loop()
        async with contextlib.AsyncExitStack() as turns:
            for lane in _lanes(scope, size):
                await turns.enter_async_context(self._turn(lane))
            response = await loop.run_in_executor(_pool, self._answer, scope, body)
        await self._send(response, send)

    def _turn(self, lane: str) -> asyncio.Semaphore:
        lanes = self._lanes.setdefault(asyncio.get_running_loop(), {})
        return lanes.setdefault(lane, asyncio.Semaphore(MOST[lane]))

    async def _send(self, response: Any, send: Any) -> None:
        """Send an answer; one that waits for something does so here, in no thread."""
        loop = asyncio.get_running_loop()
        if (settle := getattr(response, "settle", None)) is not None:
            await settle()
        try:
            await self.send_response(response, send)
        finally:
            if response.streaming:
                await asyncio.shield(loop.run_in_executor(_pool, response.close))

    def _answer(self, scope: Any, body: Body) -> HttpResponseBase:
        """Return the answer, closed unless it is a stream that goes on on the loop."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=type(self), scope=scope)
        with body:
            request, refusal = self.create_request(scope, body)
            response: Any = refusal if request is None else self.get_response(request)
            response._handler_class = type(self)
            if response.streaming and response.is_async:
                return response  # type: ignore[no-any-return]
            whole = _whole(response) if response.streaming else response
            response.close()
        return whole


def most_of(path: str) -> int | None:
    """Return how much of a body is kept: at the public doors no more than the largest they take."""
    return MAX_IMPORT if path.startswith("/hooks/") else None


def _lanes(scope: Any, size: int) -> Iterator[str]:
    """Yield in which lanes a request waits for its turn, always in the same order."""
    path = scope["path"]
    if path.startswith(PROGRAMS):
        yield "programs"
    if path.startswith(STARTS[0]) and path.endswith(STARTS[1]):
        yield "starts"
    if path in LISTS:
        yield from _list_lane(scope)
    if size > LARGE_BYTES:
        yield "large"


def _list_lane(scope: Any) -> Iterator[str]:
    """Yield where a list waits: people's quick ones stand behind no export, search or script."""
    query = scope["query_string"]
    if any(name == b"authorization" for name, _ in scope["headers"]):
        yield "programs"
    elif b"format=csv" in query:
        yield "exports"
    elif b"search=" not in query:
        yield "lists"


def _whole(response: Any) -> HttpResponse:
    """Return the answer of a synchronous stream, such as a file, in one piece."""
    response.block_size = PooledHandler.chunk_size
    whole = HttpResponse(b"".join(response), status=response.status_code)
    whole.headers, whole.cookies = response.headers, response.cookies
    return whole
