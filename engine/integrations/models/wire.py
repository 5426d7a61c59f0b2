"""A model call on the wire: limits of time and size, and what a failed call can say of itself.

The SDKs of the providers wrap every failure in words of their own, so the transport below them
notes what happened: whether anything was sent, how the answer began, why it was ended here. It is
imported with the first call only, for `httpx2` takes its time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import httpx2

from engine.core.errors import NodeError, ProviderError, ProviderFault
from engine.integrations.egress import EgressRefused, HttpUnavailable
from engine.integrations.models.chat import WireLimits

HEAD_BYTES = 2048
"""How much of an answer is kept to say what it was."""
MAX_LINE = 200
"""Characters of it that are shown."""
_SSE = (b"data:", b"event:", b"id:", b"retry:", b":")


@dataclass(slots=True)
class WireCall:
    """What is known of one call. `fault` is why it was ended on this side."""

    limits: WireLimits
    max_bytes: int
    unreached: bool = False
    status: int | None = None
    content_type: str = ""
    head: bytes = b""
    last: bytes = b""
    received: int = 0
    whole: bool = False
    broke: bool = False
    fault: NodeError | None = None
    deadline: float = field(default=0.0)

    def note(self, chunk: bytes) -> None:
        """Take in a piece of the answer. Raises `ProviderFault` past the cap."""
        if len(self.head) < HEAD_BYTES:
            self.head += chunk[: HEAD_BYTES - len(self.head)]
        self.received += len(chunk)
        self.last = chunk[-1:] or self.last
        if self.received > self.max_bytes:
            self.fault = overrun(f"sent more than {self.max_bytes} bytes")
            raise self.fault

    @property
    def is_html(self) -> bool:
        """Whether the answer is a page for people."""
        return "html" in self.content_type or self.head.lstrip()[:1] == b"<"

    def unreadable(self, *, streamed: bool, garbled: bool) -> str | None:
        """Say what a finished answer was that is none; None where it may be one.

        `garbled` says that its JSON could not be read.
        """
        if self.status != 200 or not self.head.strip():
            return None
        if self.is_html:
            return f"the server answered a page of HTML: {self.first_line()}"
        is_stream = self.head.lstrip().startswith(_SSE)
        if self.broke or (is_stream and self.whole and self.last != b"\n"):
            return None  # it broke off: a new attempt may hear the rest
        if garbled and (is_stream or "json" in self.content_type):
            return f"the server answered broken JSON: {self.first_line()}"
        if is_stream and streamed:
            return None
        kind = self.content_type.partition(";")[0] or "something"
        return f"the server answered {kind} that is no chat completion: {self.first_line()}"

    def first_line(self) -> str:
        """Return the title of a page, else the first line of the answer that is not blank."""
        text = self.head.decode("utf-8", "replace")
        lowered = text.lower()
        start = lowered.find("<title>")
        end = lowered.find("</title>", start)
        if 0 <= start < end:
            text = text[start + len("<title>") : end]
        lines = (line.strip() for line in text.splitlines())
        return next((line for line in lines if line), "")[:MAX_LINE]


CALL: ContextVar[WireCall | None] = ContextVar("wire_call", default=None)
"""The call that the running task makes: the SDKs in between pass nothing through."""


def overrun(what: str) -> ProviderFault:
    """Return the failure of a provider that does not stop where it was told to."""
    return ProviderFault(
        "ProviderOverrun",
        f"the provider {what} although the request allowed fewer: the answer was cut and the"
        " connection closed. Use another server or model, or raise max_output_tokens",
    )


def client(transport: Any, limits: WireLimits) -> httpx2.AsyncClient:
    """Return an HTTP client over `transport` which notes its calls and keeps to their limits.

    Nothing of the environment counts, and no redirect is followed.
    """
    timeout = httpx2.Timeout(limits.first_byte_s, connect=limits.connect_s)
    wire = WireTransport(transport)
    return httpx2.AsyncClient(
        transport=wire, timeout=timeout, trust_env=False, follow_redirects=False
    )


class WireTransport(httpx2.AsyncBaseTransport):
    """Passes requests on to `inner`; notes what happens to them in the task's `CALL`."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Return the answer. Raises as `httpx2` does; the call then says more."""
        call = CALL.get()
        if call is None:
            return await self._inner.handle_async_request(request)  # type: ignore[no-any-return]
        limits = call.limits
        call.deadline = asyncio.get_running_loop().time() + limits.total_s
        request.extensions = {
            **request.extensions,
            "timeout": {
                "connect": limits.connect_s,
                "pool": limits.connect_s,
                "read": limits.first_byte_s,
                "write": limits.idle_s,
            },
        }
        response = await self._send(request, call)
        call.status = response.status_code
        call.content_type = response.headers.get("content-type", "").lower()
        response.stream = _Metered(response.stream, call)
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()

    async def _send(self, request: httpx2.Request, call: WireCall) -> httpx2.Response:
        try:
            answer = await self._inner.handle_async_request(request)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
            call.unreached = True
            raise
        except HttpUnavailable as failed:
            call.unreached = not failed.sent
            raise httpx2.ConnectError(failed.message, request=request) from failed
        except EgressRefused as refused:
            call.fault = refused
            raise
        except httpx2.ReadTimeout:
            call.fault = _silent("the answer did not begin within", call.limits.first_byte_s)
            raise
        return answer  # type: ignore[no-any-return]


class _Metered(httpx2.AsyncByteStream):
    """The bytes of an answer, as long as they come in time and are not too many."""

    def __init__(self, stream: Any, call: WireCall) -> None:
        self._stream = stream
        self._call = call

    async def __aiter__(self) -> AsyncIterator[bytes]:
        call, limits = self._call, self._call.limits
        chunks = aiter(self._stream)
        loop = asyncio.get_running_loop()
        wait = limits.first_byte_s
        while True:
            left = min(wait, call.deadline - loop.time())
            try:
                async with asyncio.timeout(max(left, 0)):
                    chunk = await anext(chunks, None)
            except TimeoutError as late:
                over = call.deadline <= loop.time()
                call.fault = (
                    _silent("the answer took longer than", limits.total_s)
                    if over
                    else _silent("nothing more came for", wait)
                )
                raise httpx2.ReadTimeout(call.fault.message) from late
            except httpx2.TransportError:
                call.broke = True
                raise
            if chunk is None:
                call.whole = True
                return
            call.note(chunk)
            yield chunk
            wait = limits.idle_s

    async def aclose(self) -> None:
        await self._stream.aclose()


def _silent(what: str, seconds: float) -> ProviderError:
    return ProviderError(f"{what} {seconds:g} s", status=None)
