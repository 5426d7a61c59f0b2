"""How a client for an MCP server is opened."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any, Protocol

from engine.core.errors import NodeError
from engine.integrations.egress import LONGEST_CALL, Egress
from engine.integrations.egress.http_call import CredentialResolver, redactor
from engine.integrations.tools.mcp.sign_in import sign_in_of
from engine.integrations.tools.mcp.stderr_tail import TAIL, StderrTail

if TYPE_CHECKING:
    from mcp import Client
from engine.integrations.tools.mcp.servers import HttpServer, LocalServer, McpServer, StdioServer


class OnMessage(Protocol):
    """Hears what a server says unasked."""

    async def __call__(self, message: object) -> None: ...


@dataclass(slots=True)
class ClientOpener:
    """What is needed to open a client, and what the server said on its error output."""

    server: McpServer
    egress: Egress | None = None
    credentials: CredentialResolver | None = None
    _hide: Callable[[str], str] = str
    _hidden: deque[Callable[[str], str]] = field(default_factory=lambda: deque(maxlen=4))
    _tail: deque[str] = field(default_factory=lambda: deque(maxlen=TAIL))

    def hide(self, text: str) -> str:
        """Return a text without the secrets that are sent."""
        return reduce(lambda kept, each: each(kept), self._hidden, self._hide(text))

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
        return stdio_client(parameters, errlog=stack.enter_context(StderrTail(self._tail)).writer)

    async def _http(self, server: HttpServer, stack: AsyncExitStack) -> Any:
        from mcp.client.streamable_http import streamable_http_client

        egress = self.egress or Egress()
        # The transport judges each request; asked first, a refusal arrives as itself.
        await egress.vet(server.url)
        headers = await self._headers(server)
        auth = sign_in_of(server, self._keep_hidden)
        if server.bearer is not None:
            await server.bearer("")  # asked first, that nobody is signed in arrives as itself, too
        # Each request has a limit of its own, which may be as long as any call: silence is no end.
        client = await stack.enter_async_context(
            egress.client(headers=headers, timeout=LONGEST_CALL, auth=auth)
        )
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
        self._hide = lambda text: reduce(lambda kept, hide: hide(kept), redactors, text)
        return headers

    def _keep_hidden(self, token: str) -> None:
        """Hide a token that is sent from now on; those of long ago are over."""
        self._hidden.append(redactor("sign-in", {"token": token}))

    async def _secret(self, credential: str, url: str) -> Mapping[str, str]:
        if self.credentials is None:
            raise NodeError("NodeConfigInvalid", f"no credential {credential!r} is known here")
        return await self.credentials(credential, url)
