"""Where an MCP server is, and how a client for it is opened."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any, Protocol, TextIO, TypeAlias

from engine.core.errors import NodeError
from engine.integrations.egress import Egress
from engine.integrations.egress.http_call import CredentialResolver, redactor

if TYPE_CHECKING:
    from mcp import Client

TAIL = 2000
"""Characters of a server's error output that are kept."""


class OnMessage(Protocol):
    """Hears what a server says unasked."""

    async def __call__(self, message: object) -> None: ...


@dataclass(frozen=True, slots=True)
class StdioServer:
    """A program on this machine. Only the operator's settings may name one, never a graph.

    It gets the few harmless variables of the environment that the library passes on (PATH, HOME
    and such), and `env`.
    """

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class SecretHeader:
    """The value of a header that is a stored credential's, under the credential's name."""

    credential: str


@dataclass(frozen=True, slots=True)
class HttpServer:
    """A streamable HTTP endpoint, reached through the egress; `headers`, and those that
    `credential` stands for, are sent with each request.

    The library follows redirects within the endpoint's own origin only. The egress ends a stream
    that is silent for a minute: a tool that works longer must report progress.
    """

    url: str
    credential: str | None = None
    headers: Mapping[str, str | SecretHeader] = field(default_factory=dict, repr=False)

    @property
    def has_secrets(self) -> bool:
        """Whether a workspace's credential goes to it: then each workspace has its own session."""
        return self.credential is not None or any(
            isinstance(value, SecretHeader) for value in self.headers.values()
        )


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server object in this process, for tests and embedding."""

    server: Any


McpServer: TypeAlias = StdioServer | HttpServer | LocalServer


@dataclass(slots=True)
class ClientOpener:
    """What is needed to open a client, and what the server said on its error output."""

    server: McpServer
    egress: Egress | None = None
    credentials: CredentialResolver | None = None
    hide: Callable[[str], str] = str
    _tail: deque[str] = field(default_factory=lambda: deque(maxlen=TAIL))

    def stderr_tail(self) -> str:
        """Return the last line of the error output, without known values; empty if none."""
        lines = "".join(self._tail).strip().splitlines()
        if not lines or not isinstance(self.server, StdioServer):
            return ""
        return redactor("env", self.server.env)(lines[-1].strip())[:300]

    @asynccontextmanager
    async def open(self, on_message: OnMessage) -> AsyncIterator[Client]:
        """Give a client whose handshake is done. Raises whatever the library raises."""
        from mcp import Client

        self._tail.clear()
        async with AsyncExitStack() as stack:
            reached = await self._reach(stack)
            client = Client(reached, cache=None, message_handler=on_message)
            yield await stack.enter_async_context(client)

    async def _reach(self, stack: AsyncExitStack) -> Any:
        if isinstance(self.server, LocalServer):
            return self.server.server
        if isinstance(self.server, HttpServer):
            return await self._http(self.server, stack)
        from mcp.client.stdio import StdioServerParameters, stdio_client

        parameters = StdioServerParameters(
            command=self.server.command,
            args=list(self.server.args),
            env=dict(self.server.env),
            cwd=self.server.cwd,
        )
        return stdio_client(parameters, errlog=stack.enter_context(_Tail(self._tail)).writer)

    async def _http(self, server: HttpServer, stack: AsyncExitStack) -> Any:
        from mcp.client.streamable_http import streamable_http_client

        egress = self.egress or Egress()
        # The transport judges each request; asked first, a refusal arrives as itself.
        await egress.vet(server.url)
        headers = await self._headers(server)
        client = await stack.enter_async_context(egress.client(headers=headers, timeout=60))
        return streamable_http_client(server.url, http_client=client)

    async def _headers(self, server: HttpServer) -> dict[str, str]:
        """Return what each request carries, and hide the secrets among it from now on."""
        headers: dict[str, str] = {}
        redactors: list[Callable[[str], str]] = []
        for name, value in server.headers.items():
            if isinstance(value, str):
                headers[name] = value
                continue
            found = await self._secret(value.credential, server.url)
            headers[name] = next(iter(found.values()))
            redactors.append(redactor(value.credential, found))
        if server.credential is not None:
            found = await self._secret(server.credential, server.url)
            headers |= found
            redactors.append(redactor(server.credential, found))
        self.hide = lambda text: reduce(lambda kept, hide: hide(kept), redactors, text)
        return headers

    async def _secret(self, credential: str, url: str) -> Mapping[str, str]:
        if self.credentials is None:
            raise NodeError("NodeConfigInvalid", f"no credential {credential!r} is known here")
        return await self.credentials(credential, url)


class _Tail:
    """A pipe for a program's error output; what comes is read at once and its end kept."""

    def __init__(self, kept: deque[str]) -> None:
        self._kept = kept

    def __enter__(self) -> _Tail:
        self._reader, written = os.pipe()
        os.set_blocking(self._reader, False)
        self.writer: TextIO = os.fdopen(written, "w")
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._reader, self._read)
        return self

    def _read(self) -> bool:
        try:
            data = os.read(self._reader, 65536)
        except BlockingIOError:
            return False
        self._kept.extend(data.decode("utf-8", "replace"))
        if not data:
            self._loop.remove_reader(self._reader)
        return bool(data)

    def __exit__(self, *_: object) -> None:
        self.writer.close()
        while self._read():
            pass
        self._loop.remove_reader(self._reader)
        os.close(self._reader)
