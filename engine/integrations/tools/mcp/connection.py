"""One open session with an MCP server, held by a task of its own.

The library's client must be left by the task that entered it, so that task holds it open, and
calls of other tasks race against its end: a server that dies fails them at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from engine.core.errors import NodeError
from engine.integrations.egress import EgressRefused, HttpUnavailable
from engine.integrations.tools.mcp.client_opener import ClientOpener

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
    """One session. `stale` is set when the server says that its tools changed; `holder` is the
    task that ends with the session.
    """

    def __init__(self, door: ClientOpener) -> None:
        self._door = door
        self._closing = asyncio.Event()
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._failure: BaseException | None = None
        self._under_way = 0
        self.holder = asyncio.create_task(self._hold(), name="mcp-session")
        self.stale = False

    async def started(self, timeout_s: float) -> None:
        """Wait until the handshake is done; a session that does not get there is ended.

        Raises `ConnectionLost` if it fails, `CallLate` if it takes longer than `timeout_s`, and
        `NodeError`s of the egress and the credentials that cannot heal.
        """
        try:
            waited: set[asyncio.Future[Any]] = {self._ready, self.holder}
            await asyncio.wait(waited, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if self.holder.done():
                raise self._lost(sent=False)
            if not self._ready.done():
                raise CallLate
        finally:
            if not self._ready.done():
                self.holder.cancel()

    @property
    def alive(self) -> bool:
        """Whether the session can still be used, as far as is known."""
        return not self.holder.done() and not self._closing.is_set()

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
            waited: set[asyncio.Future[Any]] = {call, self.holder}
            await asyncio.wait(waited, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if call.done() and not _is_closed(call):
                return await call
            if not call.done() and not self.holder.done():
                raise CallLate
            # Only a session that has ended says why.
            self.close()
            await asyncio.wait({self.holder}, timeout=CANCEL_GRACE)
            raise self._lost(sent=self._under_way > 1 or self._was_connected())
        finally:
            self._under_way -= 1
            await _give_up(call)

    def close(self) -> None:
        """Let the session end; `holder` is done when its server is gone."""
        self._closing.set()

    async def _hold(self) -> None:
        try:
            async with self._door.open(self._heard) as client:
                self._ready.set_result(client)
                await self._closing.wait()
        except Exception as error:  # noqa: BLE001  a foreign transport may fail in any way
            self._failure = error

    async def _heard(self, message: object) -> None:
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            self.stale = True

    def _was_connected(self) -> bool:
        """Say whether the session ended for another reason than that nobody could be reached."""
        import httpx2

        cause = root_cause(self._failure)
        if isinstance(cause, HttpUnavailable):
            return cause.sent
        if isinstance(cause, NodeError) and cause.code == "ToolNotConnected":
            return False  # who is not known there is not heard
        unreached = (EgressRefused, httpx2.ConnectError, httpx2.ConnectTimeout)
        return not isinstance(cause, unreached)

    def _lost(self, *, sent: bool) -> ConnectionLost | NodeError:
        cause = root_cause(self._failure)
        if isinstance(cause, NodeError) and not cause.retryable and not sent:
            return cause
        words = self._door.stderr_tail()
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
