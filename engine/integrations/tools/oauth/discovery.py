"""From a server's address to who issues tokens for it (RFC 9728, RFC 8414)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from engine.integrations.egress import Egress
from engine.integrations.tools.oauth.asking import (
    ConsentRefused,
    ask,
    judged,
    object_of,
    text_of,
    texts_of,
)
from engine.integrations.tools.oauth.issuer import Issuer

_MEMBER: Final = re.compile(r'\b(resource_metadata|scope)="([^"\\]{1,2000})"')
_RESOURCE: Final = "/.well-known/oauth-protected-resource"
_ISSUER: Final = "/.well-known/oauth-authorization-server"
_OPENID: Final = "/.well-known/openid-configuration"


async def discover(egress: Egress, url: str) -> Issuer:
    """Return who issues tokens for the MCP server at `url`.

    Raises `ConsentRefused` where the server asks for none or its metadata are not usable,
    `EgressRefused` for a `url` that is not allowed, `HttpUnavailable`.
    """
    # An empty message opens no session anywhere, and who is unknown is told so before it is read.
    answer = await ask(
        egress, "POST", url, headers={"Content-Type": "application/json"}, body=b"{}"
    )
    if answer.status != 401:
        raise ConsentRefused(f"the server asks nobody to sign in: it answered {answer.status}")
    challenge = dict(_MEMBER.findall(answer.headers.get("www-authenticate", "")[:8000]))
    resource = await _resource(egress, url, challenge.get("resource_metadata", ""))
    named = texts_of(resource, "authorization_servers")
    # Servers of the first specification tell of no resource: they issue their tokens themselves.
    issuer = named[0] if named else origin_of(url)
    said = await metadata_of(egress, issuer)
    scope = challenge.get("scope") or " ".join(texts_of(resource, "scopes_supported"))
    return await _checked(egress, said, text_of(resource, "resource") or url, scope)


def origin_of(url: str) -> str:
    """Return the origin of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


async def _resource(egress: Egress, url: str, told: str) -> Mapping[str, Any]:
    """Return what the server says of itself; empty where it says nothing."""
    path = urlsplit(url).path.rstrip("/")
    places = (
        [told] if told else [f"{origin_of(url)}{_RESOURCE}{p}" for p in dict.fromkeys((path, ""))]
    )
    for place in places:
        await judged(egress, place, "the address of the server's metadata")
        answer = await ask(egress, "GET", place)
        if answer.status == 200:
            found = object_of(answer)
            _check_resource(url, text_of(found, "resource"))
            return found
    return {}


def _check_resource(url: str, resource: str) -> None:
    """Raise `ConsentRefused` unless tokens for `resource` are meant for the server at `url`."""
    ours, theirs = urlsplit(url), urlsplit(resource)
    same = (ours.scheme, ours.netloc.lower()) == (theirs.scheme, theirs.netloc.lower())
    if not same or not f"{ours.path.rstrip('/')}/".startswith(f"{theirs.path.rstrip('/')}/"):
        raise ConsentRefused(f"the server says that it is {resource[:200]!r}, which is another one")


async def metadata_of(egress: Egress, issuer: str) -> Mapping[str, Any]:
    """Return what an issuer says of itself. Raises `ConsentRefused`, `HttpUnavailable`."""
    origin, path = origin_of(issuer), urlsplit(issuer).path.rstrip("/")
    places = [f"{origin}{_ISSUER}{path}", f"{origin}{_OPENID}{path}", f"{origin}{path}{_OPENID}"]
    for place in dict.fromkeys(places):
        await judged(egress, place, "the address of the issuer's metadata")
        answer = await ask(egress, "GET", place)
        if answer.status != 200:
            continue
        said = object_of(answer)
        if text_of(said, "issuer").rstrip("/") != issuer.rstrip("/"):
            raise ConsentRefused(f"{issuer[:200]} tells the metadata of another issuer")
        return said
    raise ConsentRefused(f"{issuer[:200]} does not tell where to sign in")


async def _checked(egress: Egress, said: Mapping[str, Any], resource: str, scope: str) -> Issuer:
    issuer = text_of(said, "issuer")
    if "S256" not in texts_of(said, "code_challenge_methods_supported"):
        raise ConsentRefused(
            f"{issuer[:200]} does not do PKCE with S256, without which nobody signs in"
        )
    offered = texts_of(said, "scopes_supported")
    scopes = scope.split() or offered
    if "offline_access" in offered and "offline_access" not in scopes:
        scopes = [*scopes, "offline_access"]
    registration = text_of(said, "registration_endpoint")
    return Issuer(
        resource=resource,
        issuer=issuer,
        authorization=await judged(
            egress, text_of(said, "authorization_endpoint"), "the address to sign in at"
        ),
        token=await judged(egress, text_of(said, "token_endpoint"), "the address of tokens"),
        registration=registration
        and await judged(egress, registration, "the address of registration"),
        scope=" ".join(scopes)[:1000],
        methods=tuple(
            texts_of(said, "token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        ),
        names_itself=said.get("authorization_response_iss_parameter_supported") is True,
    )
