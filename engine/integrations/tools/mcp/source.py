"""One MCP server as a source of tools: lazily connected, listed, called, reconnected."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

from engine.core.effects import EffectClass
from engine.core.errors import NodeError, ToolFailed
from engine.core.values.json import InvalidJson, JsonObject, freeze, thaw
from engine.integrations.egress import Egress
from engine.integrations.egress.http_call import CredentialResolver
from engine.integrations.models.chat import CallOrigin
from engine.integrations.tools.mcp.client_opener import ClientOpener
from engine.integrations.tools.mcp.connection import CallLate, Connection, ConnectionLost
from engine.integrations.tools.mcp.results import result_of
from engine.integrations.tools.mcp.servers import HttpServer, McpServer, StdioServer
from engine.integrations.tools.protocol import RESERVED_TOOL_NAMES, SourceKind, Tool, ToolSpec
from engine.integrations.tools.sources import lost_call, not_retryable

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import Tool as Definition

CALL_TIMEOUT = 60.0
"""Seconds of one tool call."""
START_TIMEOUT = 20.0
"""Seconds in which a server must start and answer, and in which it must list its tools."""
REFRESH = 60.0
"""Seconds for which a list of tools is taken to be current."""
RETRY_AFTER = 5.0
"""Seconds for which a server that could not be reached is not tried again."""
MAX_PAGES = 100
MAX_TOOLS = 1000
"""Tools of one source; more are a fault of the server."""
_SOURCE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
IDEMPOTENCY_META = "graphwright/idempotency-key"
"""Where a request's `_meta` carries the idempotency key."""


@dataclass(frozen=True, slots=True)
class McpTool:
    """One tool of a server, as it was defined when it was listed."""

    spec: ToolSpec
    _source: McpSource
    _timeout_s: float | None = None

    def settled(self, effect: EffectClass | None, timeout_s: float | None) -> Tool:
        """Return it under an effect class and a patience in seconds that a person set."""
        return replace(self, spec=self.spec.under(effect), _timeout_s=timeout_s)

    async def call(self, arguments: JsonObject, origin: CallOrigin) -> Any:
        """Return the structured result, else the text. See `McpSource.call`."""
        return await self._source.call(self.spec, arguments, origin, timeout_s=self._timeout_s)


class McpSource:
    """The tools of one server, under the source name `name`.

    `readOnlyHint` makes a tool `read` only if the operator trusts the server; `effects` are the
    operator's own classes by tool name and win. Everything else is `unsafe`.
    """

    vetted = False
    """Definitions come from outside: a changed one must be accepted."""

    def __init__(
        self,
        name: str,
        server: McpServer,
        *,
        trusted: bool = False,
        effects: Mapping[str, EffectClass] | None = None,
        egress: Egress | None = None,
        credentials: CredentialResolver | None = None,
        timeout_s: float = CALL_TIMEOUT,
        start_timeout_s: float = START_TIMEOUT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not _SOURCE_NAME.fullmatch(name) or "__" in name:
            raise ValueError(
                f"{name!r} is no source name: letters, digits, - and single _, up to 32"
            )
        self.name = name
        self.trusted = trusted
        self._effects = dict(effects or {})
        self._door = ClientOpener(server, egress, credentials)
        self._kind: SourceKind = "program" if isinstance(server, StdioServer) else "mcp"
        self._place = server.url if isinstance(server, HttpServer) else ""
        self._timeout_s = timeout_s
        self._start_timeout_s = start_timeout_s
        self._clock = clock
        self._preparing: asyncio.Task[Connection] | None = None
        self._connection: Connection | None = None
        self._tools: dict[str, McpTool] = {}
        self._listed_at = 0.0
        self._suspect = False
        self._failure: NodeError | None = None
        self._failed_at = 0.0
        self._holders: set[asyncio.Task[None]] = set()

    async def find(self, name: str) -> Tool | None:
        """Return the tool that the server calls `name`. Raises like `tools`."""
        await self._ready()
        return self._tools.get(name)

    async def tools(self) -> list[Tool]:
        """Return the server's tools in its order, listed anew where that is due.

        Raises `ToolFailed` if the server cannot be started, reached or understood, and
        `EgressRefused` for a URL that is not allowed.
        """
        await self._ready()
        return list(self._tools.values())

    async def call(
        self,
        spec: ToolSpec,
        arguments: JsonObject,
        origin: CallOrigin,
        *,
        timeout_s: float | None = None,
    ) -> Any:
        """Return the result of one call as frozen JSON, within `timeout_s` or the source's own.

        Raises `ToolFailed` if the tool reports an error or the call was never sent; for a call
        that was sent and not answered what `lost_call` says; `ToolFailed` that is not retryable
        for a result that cannot be used.
        """
        connection = await self._ready()
        current = self._tools.get(spec.name)
        if current is None or current.spec.hash != spec.hash:
            raise ToolFailed(
                f"{self._label(spec)} changed on its server just now; look it up again"
            )
        meta: Any = {IDEMPOTENCY_META: origin.idempotency_key}
        patience = timeout_s or self._timeout_s
        try:
            result = await connection.request(
                lambda client: client.call_tool(spec.name, thaw(arguments), meta=meta),
                patience,
            )
        except CallLate as late:
            self._suspect = True
            message = f"{self._label(spec)} did not answer within {patience:g} s"
            raise lost_call(spec.effect_class, message) from late
        except ConnectionLost as lost:
            self._drop(connection)
            message = f"{self._label(spec)}: the server is gone ({lost.reason or 'it ended'})"
            raise (
                lost_call(spec.effect_class, message) if lost.sent else ToolFailed(message)
            ) from lost
        except Exception as error:  # noqa: BLE001  the library's own, pydantic's, RuntimeError
            self._judge(spec, error, connection)
        return result_of(self._label(spec), result, self._door.hide)

    async def aclose(self) -> None:
        """End the session and wait until its server is gone."""
        if self._preparing is not None and not self._preparing.done():
            self._preparing.cancel()
            await asyncio.wait({self._preparing})
        self._drop(self._connection)
        if self._holders:
            await asyncio.wait(self._holders)

    def _label(self, spec: ToolSpec) -> str:
        return f"{self.name}/{spec.name}"

    def _judge(self, spec: ToolSpec, error: Exception, connection: Connection) -> NoReturn:
        """Raise what an error of the library means for this call."""
        from mcp.shared.exceptions import MCPError
        from mcp_types import (
            INTERNAL_ERROR,
            INVALID_PARAMS,
            INVALID_REQUEST,
            METHOD_NOT_FOUND,
            PARSE_ERROR,
            REQUEST_TIMEOUT,
        )

        label = self._label(spec)
        if isinstance(error, NodeError):
            raise error
        if not isinstance(error, MCPError):
            reason = self._door.hide(str(error))[:2000]
            raise not_retryable(f"{label}: the answer cannot be used: {reason}") from error
        message = f"{label}: {self._door.hide(error.message)}"
        if error.message == "Session terminated":
            self._drop(connection)  # the server forgot the session and did nothing
        # An HTTP status without an answer of the server arrives as an internal error: a gateway's
        # 502 and 504 are among them, after which nobody knows.
        vague = error.code == INTERNAL_ERROR and "error response" in error.message
        if vague or error.code in (REQUEST_TIMEOUT, PARSE_ERROR):
            self._drop(connection)
            raise lost_call(spec.effect_class, message) from error
        if error.code in (INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND):
            raise not_retryable(message, mcp_code=error.code) from error
        raise ToolFailed(message, detail={"mcp_code": error.code}) from error

    async def _ready(self) -> Connection:
        """Return a living connection whose list of tools is current."""
        connection = self._connection
        if connection is not None and self._current(connection):
            return connection
        if self._failure is not None and self._clock() - self._failed_at < RETRY_AFTER:
            raise self._failure.with_traceback(None)
        if self._preparing is None or self._preparing.done():
            self._preparing = asyncio.create_task(self._prepare(), name="mcp-prepare")
            self._preparing.add_done_callback(_retrieve)
        # Shielded: a node that runs out of time must not stop the start that others wait for.
        return await asyncio.shield(self._preparing)

    async def _prepare(self) -> Connection:
        try:
            return await self._listed_connection()
        except NodeError as error:
            self._failure, self._failed_at = error, self._clock()
            self._drop(self._connection)
            raise

    def _current(self, connection: Connection) -> bool:
        return (
            connection.alive
            and not connection.stale
            and not self._suspect
            and self._clock() - self._listed_at < REFRESH
        )

    async def _listed_connection(self) -> Connection:
        """Connect where needed and list the tools; a session that fails to list is made anew."""
        known = self._connection
        if known is not None and known.alive:
            # A server that let a call hang gets no more time than a call to prove itself.
            patience = min(self._timeout_s, self._start_timeout_s)
            try:
                return await self._list(known, patience)
            except ToolFailed:
                self._drop(known)
        connection = Connection(self._door)
        self._holders.add(connection.holder)
        connection.holder.add_done_callback(self._holders.discard)
        try:
            await connection.started(self._start_timeout_s)
        except CallLate as late:
            raise self._unreachable(f"no answer within {self._start_timeout_s:g} s") from late
        except ConnectionLost as lost:
            raise self._unreachable(lost.reason) from lost
        self._connection = connection
        return await self._list(connection, self._start_timeout_s)

    def _unreachable(self, reason: str) -> ToolFailed:
        words = self._door.stderr_tail()
        if words and words not in reason:
            reason = f"{reason}; {words}"
        return ToolFailed(f"the tool source {self.name!r} cannot be reached: {reason}")

    async def _list(self, connection: Connection, timeout_s: float) -> Connection:
        connection.stale = False
        try:
            defined = await connection.request(_definitions, timeout_s)
            tools = {tool.spec.name: tool for tool in map(self._tool, defined)}
        except CallLate as late:
            raise self._unreachable("it does not list its tools") from late
        except ConnectionLost as lost:
            raise self._unreachable(lost.reason) from lost
        except NodeError:
            raise
        except Exception as error:  # as in `call`: nothing of the library may end a run's node code
            raise self._unreachable(
                self._door.hide(f"{type(error).__name__}: {error}"[:500])
            ) from error
        self._tools = {n: tool for n, tool in tools.items() if n not in RESERVED_TOOL_NAMES}
        self._listed_at = self._clock()
        self._suspect = False
        self._failure = None
        return connection

    def _tool(self, defined: Definition) -> McpTool:
        try:
            parameters: JsonObject = freeze(defined.input_schema)
        except InvalidJson as error:
            raise ToolFailed(f"{self.name}/{defined.name}: parameters: {error}") from error
        text = defined.description or defined.title or ""
        return McpTool(
            ToolSpec(
                defined.name,
                text,
                parameters,
                self._effect(defined),
                self.name,
                place=self._place,
                kind=self._kind,
            ),
            self,
        )

    def _effect(self, defined: Definition) -> EffectClass:
        declared = self._effects.get(defined.name)
        if declared is not None:
            return declared
        hints = defined.annotations
        read_only = hints is not None and hints.read_only_hint is True
        return EffectClass.READ if read_only and self.trusted else EffectClass.UNSAFE

    def _drop(self, connection: Connection | None) -> None:
        """End a session; the source's own place is freed only if it is that one's."""
        if connection is not None:
            connection.close()
            if self._connection is connection:
                self._connection = None


def _retrieve(task: asyncio.Task[Connection]) -> None:
    """Mark a failure as seen where everyone who waited for it is gone."""
    if not task.cancelled():
        task.exception()


async def _definitions(client: Client) -> list[Definition]:
    found: list[Definition] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        found.extend(page.tools)
        cursor = page.next_cursor
        if not cursor:
            return found
        if len(found) > MAX_TOOLS:
            break
    raise ToolFailed(f"the server lists more than {MAX_TOOLS} tools or {MAX_PAGES} pages")
