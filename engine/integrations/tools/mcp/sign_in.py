"""How requests show who asks, where a server wants tokens, and what a refusal of them means."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any

from engine.core.errors import NodeError
from engine.integrations.tools.mcp.servers import Bearer, HttpServer


class NotSignedIn(NodeError):
    """The server wants to know who asks, and nothing that was sent was enough. Nothing was done."""

    def __init__(self, url: str, *, sent: bool) -> None:
        cure = (
            "it refuses what was sent: look at its credential"
            if sent
            else "it asks to sign in: connect it, or give it a credential, under Settings, Tools"
        )
        super().__init__("ToolNotConnected", f"{url} answered 401: {cure}")


def sign_in_of(server: HttpServer, seen: Callable[[str], None]) -> Any:
    """Return what a client of the HTTP library authenticates by; `seen` hears each new token."""
    import httpx2

    class SignIn(httpx2.Auth):
        """Sends the token of the moment; one that is refused is renewed once."""

        def __init__(self, bearer: Bearer | None) -> None:
            self._bearer = bearer
            self._last = ""

        async def async_auth_flow(
            self, request: httpx2.Request
        ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
            """Yield the request as it is sent."""
            await self._sign(request, "")
            response = yield request
            if response.status_code == 401 and self._bearer is not None:
                await self._sign(request, self._last)
                response = yield request
            if response.status_code == 401:
                raise NotSignedIn(server.url, sent="authorization" in request.headers)

        async def _sign(self, request: httpx2.Request, refused: str) -> None:
            if self._bearer is None:
                return
            token = await self._bearer(refused)
            if token != self._last:
                seen(token)
                self._last = token
            request.headers["Authorization"] = f"Bearer {token}"

    return SignIn(server.bearer)
