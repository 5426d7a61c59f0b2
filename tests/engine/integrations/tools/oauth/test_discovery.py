"""Who issues tokens: read from foreign metadata, none of whose addresses is taken on trust."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from engine.integrations.egress import AllowList, Egress, EgressRefused
from engine.integrations.tools.oauth import ConsentRefused, Issuer, discover, register
from tests.engine.integrations.tools.test_mcp_http import loopback

Json = dict[str, Any]


class Told:
    """A server that asks to sign in, and tells what a test wants of itself and of its issuer."""

    def __init__(self) -> None:
        self.challenge = "Bearer"
        self.resource: Json = {}
        self.issuer: Json = {}
        self.asked: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        path = scope["path"]
        self.asked.append(path)
        status, body = 404, b"{}"
        if path == "/mcp":
            status = 401
        elif "oauth-protected-resource" in path and self.resource:
            status, body = 200, json.dumps(self.resource).encode()
        elif "oauth-authorization-server" in path:
            status, body = 200, json.dumps(self.issuer).encode()
        headers = [(b"www-authenticate", self.challenge.encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def usual(origin: str) -> Json:
    return {
        "issuer": origin,
        "authorization_endpoint": f"{origin}/authorize",
        "token_endpoint": f"{origin}/token",
        "registration_endpoint": f"{origin}/register",
        "code_challenge_methods_supported": ["S256"],
        "scopes_supported": ["tools"],
    }


async def found(told: Told, **changes: Any) -> Issuer:
    async with loopback(told) as url:
        origin = url.removesuffix("/mcp")
        told.issuer = {**usual(origin), **changes}
        told.resource = {
            name: text.replace("ORIGIN", origin) if isinstance(text, str) else text
            for name, text in told.resource.items()
        }
        return await discover(Egress(AllowList.of([origin])), url)


async def test_a_server_without_metadata_issues_by_itself() -> None:
    issuer = await found(Told())
    assert issuer.token.endswith("/token")
    assert (issuer.scope, issuer.resource[-4:]) == ("tools", "/mcp")


@pytest.mark.parametrize(
    "address",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.7/token",
        "http://[::1]:8000/token",
        "http://127.0.0.1:1/token",
        "http://0x7f000001/token",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "",
    ],
)
@pytest.mark.parametrize(
    "member", ["authorization_endpoint", "token_endpoint", "registration_endpoint"]
)
async def test_no_endpoint_leads_where_the_egress_does_not(member: str, address: str) -> None:
    if member == "registration_endpoint" and not address:
        return  # it need not be there
    with pytest.raises(ConsentRefused, match="is not allowed"):
        await found(Told(), **{member: address})


async def test_metadata_elsewhere_are_not_fetched_where_the_egress_does_not_go() -> None:
    told = Told()
    told.challenge = 'Bearer resource_metadata="http://169.254.169.254/latest"'
    with pytest.raises(ConsentRefused, match="is not allowed"):
        await found(told)
    told = Told()
    told.resource = {"resource": "ORIGIN/mcp", "authorization_servers": ["http://10.1.1.1"]}
    with pytest.raises(ConsentRefused, match="is not allowed"):
        await found(told)


async def test_what_a_server_says_of_itself_must_be_about_itself() -> None:
    told = Told()
    told.resource = {"resource": "https://other.example/mcp"}
    with pytest.raises(ConsentRefused, match="another one"):
        await found(told)
    with pytest.raises(ConsentRefused, match="another issuer"):
        await found(Told(), issuer="https://other.example")
    with pytest.raises(ConsentRefused, match="PKCE"):
        await found(Told(), code_challenge_methods_supported=["plain"])


async def test_who_does_not_register_clients_is_told_with_the_cure() -> None:
    issuer = await found(Told(), registration_endpoint=None)
    with pytest.raises(ConsentRefused, match=r"https://me\.example/back"):
        await register(Egress(), issuer, "https://me.example/back", "Me")


async def test_a_private_server_is_refused_before_it_is_asked() -> None:
    with pytest.raises(EgressRefused):
        await asyncio.wait_for(discover(Egress(), "http://127.0.0.1:9/mcp"), 5)
