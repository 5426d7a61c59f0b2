"""One open session with an MCP server, held by a task of its own.

The library's client must be left by the task that entered it, so that task holds it open, and
calls of other tasks race against its end: a server that dies fails them at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from engine.egress import EgressRefused, HttpUnavailable
from engine.errors import NodeError
from engine.tools.mcp.servers import Door

if TYPE_CHECKING:
    from mcp import Client

CANCEL_GRACE = 2.0
"""Seconds in which a cancelled call may tell its server."""

Answer = TypeVar("Answer")


class CallLate(Exception):
    """No answer came in time. A signal between parts of this package."""


class ConnectionLost(Exception):
    """The session ended. `sent` is False where the request certainly never arrived."""

    def __init__(self, reason: str, *, sent: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.sent = sent


class Connection:
    """One session. `stale` is set when the server says that its tools changed."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._closing = asyncio.Event()
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._failure: BaseException | None = None
        self._under_way = 0
        self._holder = asyncio.create_task(self._hold(), name="mcp-session")
        self.stale = False

    @classmethod
    async def open(cls, door: Door, timeout_s: float) -> Connection:
        """Return a connection whose handshake is done.

        Raises `ConnectionLost` if it fails, `CallLate` if it takes longer than `timeout_s`, and
        `NodeError`s of the egress and the credentials.
        """
        connection = cls(door)
        try:
            ready, holder = connection._ready, connection._holder
            waited: set[asyncio.Future[Any]] = {ready, holder}
            await asyncio.wait(waited, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if ready.done():
                return connection
            if holder.done():
                raise connection._lost(sent=False)
            raise CallLate
        finally:
            if not connection._ready.done():
                connection._holder.cancel()

    @property
    def alive(self) -> bool:
        """Whether the session can still be used, as far as is known."""
        return not self._holder.done() and not self._closing.is_set()

    async def request(
        self, send: Callable[[Client], Awaitable[Answer]], timeout_s: float
    ) -> Answer:
        """Return what `send` gets. Raises `CallLate`, `ConnectionLost`, and the library's errors.

        Cancelling the awaiting task cancels the request and tells the server.
        """
        if not self.alive:
            raise self._lost(sent=False)
        call = asyncio.ensure_future(send(self._ready.result()))
        self._under_way += 1
        try:
            waited: set[asyncio.Future[Any]] = {call, self._holder}
            await asyncio.wait(waited, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if call.done() and not _is_closed(call):
                return await call
            if not call.done() and not self._holder.done():
                raise CallLate
            # Only a session that has ended says why.
            await asyncio.wait({self.close()}, timeout=CANCEL_GRACE)
            raise self._lost(sent=self._under_way > 1 or self._was_connected())
        finally:
            self._under_way -= 1
            await _give_up(call)

    def close(self) -> asyncio.Task[None]:
        """Let the session end; the returned task is done when its server is gone."""
        self._closing.set()
        return self._holder

    async def _hold(self) -> None:
        try:
            async with self._door.open(self._heard) as client:
                self._ready.set_result(client)
                await self._closing.wait()
        except Exception as error:  # noqa: BLE001  a foreign transport may fail in any way
            self._failure = error

    async def _heard(self, message: Any) -> None:
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            self.stale = True

    def _was_connected(self) -> bool:
        """Say whether the session ended for another reason than that nobody could be reached."""
        import httpx2

        cause = root_cause(self._failure)
        if isinstance(cause, HttpUnavailable):
            return cause.sent
        unreached = (EgressRefused, httpx2.ConnectError, httpx2.ConnectTimeout)
        return not isinstance(cause, unreached)

    def _lost(self, *, sent: bool) -> ConnectionLost | NodeError:
        cause = root_cause(self._failure)
        if isinstance(cause, NodeError) and not cause.retryable and not sent:
            return cause
        words = self._door.last_words()
        reason = "" if cause is None else f"{type(cause).__name__}: {cause}".removesuffix(": ")
        return ConnectionLost("; ".join(text for text in (reason, words) if text), sent=sent)


def root_cause(error: BaseException | None) -> BaseException | None:
    """Return the first plain error in a tree of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _is_closed(call: asyncio.Future[Any]) -> bool:
    from mcp.shared.exceptions import MCPError
    from mcp_types import CONNECTION_CLOSED

    error = None if call.cancelled() else call.exception()
    return isinstance(error, MCPError) and error.code == CONNECTION_CLOSED


async def _give_up(call: asyncio.Future[Any]) -> None:
    if not call.done():
        call.cancel()
        await asyncio.wait({call}, timeout=CANCEL_GRACE)
    if call.done() and not call.cancelled():
        call.exception()  # what a call that lost its race raised is nobody's to see
