"""Where a provider's addresses are: it says so itself, below its issuer, and only for that issuer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from builder.base.errors import InvalidInput
from builder.services.people.sign_in.oidc.calls import Outside, unreachable
from engine.integrations.egress.origins import is_unheard

PLACE: Final = "/.well-known/openid-configuration"


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of one issuer."""

    issuer: str
    authorization: str
    token: str
    keys: str
    userinfo: str
    by_form: bool
    """Whether the secret goes into the form, as the provider does not take it in a header."""


def checked_issuer(issuer: str) -> str:
    """Return the issuer without spaces. Raises `InvalidInput` unless it can be one."""
    text = issuer.strip()
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        host, parts = None, urlsplit("")
    if not host or parts.query or parts.fragment or parts.username is not None:
        raise InvalidInput("the address that the provider calls its issuer", path="issuer")
    if not is_unheard(text):
        raise InvalidInput("an address that begins with https://", path="issuer")
    return text


def discover(outside: Outside, issuer: str) -> Addresses:
    """Return what the issuer says of itself. Raises `Unprocessable` `ProviderUnusable`."""
    said = outside.get(issuer.rstrip("/") + PLACE)
    if said.get("issuer") != issuer:
        raise unreachable("it calls itself by another issuer than the one that is set here")
    methods = said.get("token_endpoint_auth_methods_supported")
    by_form = isinstance(methods, list) and "client_secret_basic" not in methods
    return Addresses(
        issuer,
        _address(said, "authorization_endpoint"),
        _address(said, "token_endpoint"),
        _address(said, "jwks_uri"),
        _address(said, "userinfo_endpoint") if "userinfo_endpoint" in said else "",
        by_form and "client_secret_post" in (methods or []),
    )


def _address(said: Any, name: str) -> str:
    value = said.get(name)
    if not isinstance(value, str) or len(value) > 2000 or not is_unheard(value):
        raise unreachable(f"its {name} is no address that begins with https://")
    return value
