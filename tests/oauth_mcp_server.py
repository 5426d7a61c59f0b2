"""An MCP server that asks for OAuth, made of the official library's own authorization server.

What a person would agree to is agreed to at once; `declines` says no instead. Tokens and codes live
in memory; `forget_tokens` and `end_consents` are what a server does when its people say so.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    TokenError,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from mcp_types import ToolAnnotations
from pydantic import AnyHttpUrl

LASTS_S = 3600


@dataclass
class Guarded(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """The provider of the library's server, and what it has seen."""

    origin: str
    declines: bool = False
    lasts_s: int = LASTS_S
    registers: bool = True
    clients: dict[str, OAuthClientInformationFull] = field(default_factory=dict)
    codes: dict[str, AuthorizationCode] = field(default_factory=dict)
    access: dict[str, AccessToken] = field(default_factory=dict)
    refresh: dict[str, RefreshToken] = field(default_factory=dict)
    renewals: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    revokes: bool = True
    revoked: list[str] = field(default_factory=list)
    asked: threading.Event = field(default_factory=threading.Event)
    answers: threading.Event = field(default_factory=threading.Event)
    """A renewal is issued, sets `asked`, and is answered when this is set, as it is at first."""

    def __post_init__(self) -> None:
        self.answers.set()

    @property
    def url(self) -> str:
        """Return the endpoint."""
        return f"{self.origin}/mcp"

    def forget_tokens(self) -> None:
        """Take no access token any more; consents hold."""
        self.access.clear()

    def end_consents(self) -> None:
        """Take nothing any more."""
        self.access.clear()
        self.refresh.clear()

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """Return a registered client."""
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Keep a client."""
        self.clients[client_info.client_id] = client_info

    async def authorize(
        self, client: OAuthClientInformationFull, params: AuthorizationParams
    ) -> str:
        """Agree, or not, and send the browser back."""
        back = str(params.redirect_uri)
        if self.declines:
            return construct_redirect_uri(back, error="access_denied", state=params.state)
        code = secrets.token_urlsafe(24)
        self.codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
            subject="ada",
        )
        return construct_redirect_uri(back, code=code, state=params.state)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        """Return a code that is still good."""
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        """Give tokens for a code, once."""
        del self.codes[authorization_code.code]
        return self._issue(client.client_id, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        """Return a refresh token that is still good."""
        return self.refresh.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        """Give new tokens; the old refresh token is over."""
        if self.refresh.pop(refresh_token.token, None) is None:
            raise TokenError("invalid_grant", "used twice")
        issued = self._issue(client.client_id, scopes, refresh_token.resource)
        self.renewals.append(refresh_token.token)
        self.asked.set()
        await asyncio.to_thread(self.answers.wait, 20)
        return issued

    async def load_access_token(self, token: str) -> AccessToken | None:
        """Return an access token that is still good."""
        return self.access.get(token)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        """Take a token back."""
        self.revoked.append(token.token)
        self.access.pop(token.token, None)
        self.refresh.pop(token.token, None)

    def _issue(self, client_id: str, scopes: list[str], resource: str | None) -> OAuthToken:
        access, again = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        ends = int(time.time()) + self.lasts_s
        self.access[access] = AccessToken(
            token=access,
            client_id=client_id,
            scopes=scopes,
            expires_at=ends,
            resource=resource,
            subject="ada",
        )
        self.refresh[again] = RefreshToken(
            token=again, client_id=client_id, scopes=scopes, resource=resource
        )
        return OAuthToken(
            access_token=access,
            expires_in=self.lasts_s,
            refresh_token=again,
            scope=" ".join(scopes),
        )


def server_of(guarded: Guarded) -> MCPServer:
    """Return a server of one tool, which takes tokens for its own address only."""
    server = MCPServer(
        "guarded",
        log_level="CRITICAL",
        auth_server_provider=guarded,
        auth=AuthSettings(
            issuer_url=AnyHttpUrl(guarded.origin),
            resource_server_url=AnyHttpUrl(guarded.url),
            validate_token_resource=True,
            required_scopes=["tools"],
            client_registration_options=ClientRegistrationOptions(
                enabled=guarded.registers, valid_scopes=["tools"], default_scopes=["tools"]
            ),
            revocation_options=RevocationOptions(enabled=guarded.revokes),
        ),
    )

    @server.tool(annotations=ToolAnnotations(read_only_hint=True), structured_output=False)
    def whisper(text: str) -> str:
        """Say it back, quietly."""
        guarded.calls.append(text)
        return text.lower()

    return server


@contextmanager
def guarded_server(**options: Any) -> Iterator[Guarded]:
    """Serve it on loopback from a thread of its own."""
    bound = socket.create_server(("127.0.0.1", 0))
    guarded = Guarded(f"http://127.0.0.1:{bound.getsockname()[1]}", **options)
    app = server_of(guarded).streamable_http_app()
    config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=0)
    serving = uvicorn.Server(config)
    thread = threading.Thread(target=asyncio.run, args=(serving.serve([bound]),))
    thread.start()
    try:
        yield guarded
    finally:
        serving.should_exit = True
        thread.join(10)
