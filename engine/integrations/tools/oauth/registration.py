"""How this installation is known to an issuer: registered by itself (RFC 7591), or by a person."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

import orjson

from engine.integrations.egress import Egress
from engine.integrations.tools.oauth.asking import (
    ConsentRefused,
    ask,
    object_of,
    refusal_of,
    text_of,
)
from engine.integrations.tools.oauth.issuer import Issuer

_KNOWN = ("none", "client_secret_basic", "client_secret_post")
MAX_SECRET = 2000


@dataclass(frozen=True, slots=True)
class Client:
    """An id at the issuer, and the secret that goes with it where there is one."""

    id: str
    secret: str = ""
    method: str = "none"

    def proof(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Return the fields and the headers by which it proves itself at the address of tokens."""
        fields = {"client_id": self.id}  # some issuers look for it there, whatever else is sent
        if self.method == "client_secret_basic" and self.secret:
            pair = f"{quote(self.id, safe='')}:{quote(self.secret, safe='')}"
            return fields, {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
        return (fields | {"client_secret": self.secret} if self.secret else fields), {}


def known_by(issuer: Issuer, client_id: str, secret: str) -> Client:
    """Return the client that a person registered at the issuer by hand."""
    method = (
        "client_secret_basic" if "client_secret_basic" in issuer.methods else "client_secret_post"
    )
    return Client(client_id, secret, method if secret else "none")


async def register(egress: Egress, issuer: Issuer, back: str, name: str) -> Client:
    """Register under `name`, with `back` as the address that browsers come back to.

    Raises `ConsentRefused`, `EgressRefused`, `HttpUnavailable`.
    """
    if not issuer.registration:
        raise ConsentRefused(
            f"{issuer.issuer[:200]} does not register clients by itself: register one there with the"
            f" address {back}, and give its id here"
        )
    method = next((each for each in _KNOWN if each in issuer.methods), None)
    if method is None:
        raise ConsentRefused(
            f"{issuer.issuer[:200]} wants a proof of clients that is not known here"
        )
    wanted = {
        "client_name": name,
        "redirect_uris": [back],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
        "application_type": "web",
        **({"scope": issuer.scope} if issuer.scope else {}),
    }
    answer = await ask(
        egress,
        "POST",
        issuer.registration,
        headers={"Content-Type": "application/json"},
        body=orjson.dumps(wanted),
    )
    if answer.status not in (200, 201):
        raise refusal_of("registration was refused", answer)
    said = object_of(answer)
    made = Client(
        text_of(said, "client_id")[:MAX_SECRET],
        text_of(said, "client_secret")[:MAX_SECRET],
        text_of(said, "token_endpoint_auth_method") or method,
    )
    if not made.id or made.method not in _KNOWN:
        raise ConsentRefused("registration: the answer names no client that can be used")
    return made
