"""The provider's word: the code for tokens, and the token that says who it is, checked in full."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from builder.base.errors import NotAllowed
from builder.services.people.sign_in.oidc.calls import Outside, unreachable
from builder.services.people.sign_in.oidc.discovery import Addresses

if TYPE_CHECKING:
    from jwt import PyJWK

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA")
"""Signatures by a key that only the provider has: never `none`, never the shared secret."""
NEEDED: Final = ("iss", "sub", "aud", "exp", "iat")
LEEWAY_S: Final = 60
MAX_TOKEN: Final = 64 * 1024
MAX_SUBJECT: Final = 255
MAX_KEYS: Final = 50


@dataclass(frozen=True, slots=True)
class Client:
    """How the provider knows this installation."""

    client_id: str
    secret: str


@dataclass(frozen=True, slots=True)
class Grant:
    """What came back, and what it has to be for: of one attempt, in one browser."""

    code: str
    verifier: str
    nonce: str
    redirect_uri: str


def claims_of(outside: Outside, at: Addresses, client: Client, grant: Grant) -> Mapping[str, Any]:
    """Return who the provider says it is.

    Raises `NotAllowed` `ProviderSaysOtherwise`, `Unprocessable` `ProviderUnusable`.
    """
    fields = {
        "grant_type": "authorization_code",
        "code": grant.code,
        "redirect_uri": grant.redirect_uri,
        "code_verifier": grant.verifier,
        "client_id": client.client_id,
    }
    header: dict[str, str] = {}
    if client.secret and at.by_form:
        fields["client_secret"] = client.secret
    elif client.secret:
        pair = f"{quote(client.client_id, safe='')}:{quote(client.secret, safe='')}"
        header["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    answer = outside.post(at.token, fields, header)
    said = answer.get("id_token")
    if not isinstance(said, str) or len(said) > MAX_TOKEN:
        raise unreachable("it sent no identity, or one that is too large")
    claims = verified(said, outside.get(at.keys), at.issuer, client.client_id)
    if not secrets.compare_digest(str(claims.get("nonce", "")).encode(), grant.nonce.encode()):
        raise otherwise("its word is for another sign-in")
    return {**_asked(outside, at, answer, claims), **claims}


def verified(said: str, keys: Mapping[str, Any], issuer: str, audience: str) -> Mapping[str, Any]:
    """Return the claims of a token that the issuer signed for this client, now."""
    import jwt  # loaded with the first of them: most who serve have no provider

    try:
        claims: Mapping[str, Any] = jwt.decode(
            said,
            _key(said, keys),
            algorithms=list(ALGORITHMS),
            audience=audience,
            issuer=issuer,
            leeway=LEEWAY_S,
            options={"require": list(NEEDED)},
        )
    except (jwt.PyJWTError, ValueError, TypeError):
        raise otherwise("its word does not hold") from None
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT or "\0" in subject:
        raise otherwise("it names nobody")
    if "azp" in claims and claims["azp"] != audience:
        raise otherwise("its word is for another program")
    return claims


def otherwise(why: str) -> NotAllowed:
    """Return the refusal of a word that does not hold."""
    return NotAllowed(f"the sign-in did not hold: {why}", code="ProviderSaysOtherwise")


def _key(said: str, keys: Mapping[str, Any]) -> PyJWK:
    """Return the key that the token names, or the only one. Raises what reading them does."""
    import jwt

    listed = keys.get("keys")
    named = jwt.get_unverified_header(said).get("kid")
    found = [
        one
        for one in (listed if isinstance(listed, list) else [])[:MAX_KEYS]
        if isinstance(one, dict) and (named is None or one.get("kid") == named)
        if one.get("kty") != "oct" and one.get("use", "sig") == "sig"
    ]
    if len(found) != 1:
        raise jwt.InvalidKeyError("no key, or several, could have signed it")
    return jwt.PyJWK(found[0])


def _asked(
    outside: Outside, at: Addresses, answer: Mapping[str, Any], claims: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return what the provider tells besides, where its token does not carry everything."""
    bearer = answer.get("access_token")
    if not at.userinfo or not isinstance(bearer, str) or not 0 < len(bearer) <= MAX_TOKEN:
        return {}
    more = outside.get(at.userinfo, bearer)
    if more.get("sub") != claims["sub"]:
        raise otherwise("it tells of somebody else")
    return more
