"""Tokens: had for a code, renewed, and whose they are as far as that is told."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from engine.core.values.limits import UnreadableInput, parse_json
from engine.integrations.egress import Egress
from engine.integrations.tools.oauth.asking import (
    ConsentRefused,
    ask,
    object_of,
    refusal_of,
    text_of,
)
from engine.integrations.tools.oauth.registration import Client

MAX_TOKEN: Final = 16_000
MAX_ACCOUNT: Final = 200
YEAR_S: Final = 366 * 24 * 3600
FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}
_NAMES: Final = ("email", "preferred_username", "name", "sub")


@dataclass(frozen=True, slots=True)
class Tokens:
    """What was issued. `expires_in` is in seconds, None where nothing is said; `account` is whose
    it is, empty where the issuer does not tell.
    """

    access: str = field(repr=False)
    refresh: str = field(default="", repr=False)
    expires_in: int | None = None
    account: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """The address of tokens, who asks there, and for which resource."""

    token: str
    client: Client
    resource: str


async def exchange(egress: Egress, desk: Desk, code: str, verifier: str, back: str) -> Tokens:
    """Return the tokens for a code. Raises `ConsentRefused`, `EgressRefused`, `HttpUnavailable`."""
    fields = {"code": code, "code_verifier": verifier, "redirect_uri": back}
    return await _issued(egress, desk, {"grant_type": "authorization_code", **fields})


async def renew(egress: Egress, desk: Desk, refresh: str) -> Tokens:
    """Return new tokens; `refresh` is in them where the issuer gave no other one.

    Raises `ConsentRefused`, with `code` `invalid_grant` where the consent is over.
    """
    fields = {"grant_type": "refresh_token", "refresh_token": refresh}
    found = await _issued(egress, desk, fields)
    return Tokens(found.access, found.refresh or refresh, found.expires_in, found.account)


async def _issued(egress: Egress, desk: Desk, fields: Mapping[str, str]) -> Tokens:
    proof, secret = desk.client.proof()
    body = urlencode({**fields, **proof, "resource": desk.resource}).encode()
    answer = await ask(egress, "POST", desk.token, headers=FORM, secret=secret, body=body)
    if answer.status != 200:
        raise refusal_of("the issuer says", answer)
    said = object_of(answer)
    access, refresh = text_of(said, "access_token"), text_of(said, "refresh_token")
    usable = access.isascii() and 0 < len(access) <= MAX_TOKEN and len(refresh) <= MAX_TOKEN
    if not usable or text_of(said, "token_type").lower() != "bearer":
        raise ConsentRefused("tokens: the answer holds none that can be used")
    lasts = said.get("expires_in")
    known = isinstance(lasts, int) and not isinstance(lasts, bool)
    return Tokens(
        access,
        refresh,
        max(0, min(int(lasts), YEAR_S)) if known and isinstance(lasts, int) else None,
        _account(text_of(said, "id_token")),
    )


def _account(id_token: str) -> str:
    """Return whose the tokens are, for people to read: it came from the issuer itself, by TLS."""
    parts = id_token.split(".")
    if len(parts) != 3 or len(id_token) > MAX_TOKEN:
        return ""
    try:
        claims: Any = parse_json(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (UnreadableInput, binascii.Error, ValueError):
        return ""
    if not isinstance(claims, Mapping):
        return ""
    return next((found for name in _NAMES if (found := text_of(claims, name))), "")[:MAX_ACCOUNT]
