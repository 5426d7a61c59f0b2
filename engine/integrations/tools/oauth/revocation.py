"""Tokens taken back at who issued them (RFC 7009), where that is announced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from engine.integrations.egress import Egress, EgressResponse
from engine.integrations.tools.oauth.asking import ask, judged, refusal_of, text_of
from engine.integrations.tools.oauth.discovery import metadata_of
from engine.integrations.tools.oauth.tokens import FORM, Desk, Tokens

_OK: Final = 200
_MALFORMED: Final = 400


async def revoke(egress: Egress, issuer: str, desk: Desk, tokens: Tokens) -> bool:
    """Have the issuer take tokens back; False where it does not announce how.

    The refresh token goes first: with it many issuers end the whole consent. Raises
    `ConsentRefused`, `EgressRefused`, `HttpUnavailable`.
    """
    address = text_of(await metadata_of(egress, issuer), "revocation_endpoint")
    if not address:
        return False
    await judged(egress, address, "the address where tokens are taken back")
    for hint, token in (("refresh_token", tokens.refresh), ("access_token", tokens.access)):
        if token:
            await _taken_back(egress, address, desk, {"token": token, "token_type_hint": hint})
    return True


async def _taken_back(egress: Egress, address: str, desk: Desk, fields: Mapping[str, str]) -> None:
    proof, secret = desk.client.proof()
    said = {**fields, **proof}
    answer = await _sent(egress, address, said, secret)
    if answer.status == _MALFORMED:
        # The official server of MCP wants the field, also of clients that have no secret.
        answer = await _sent(egress, address, {"client_secret": "", **said}, secret)
    if answer.status != _OK:
        raise refusal_of("the issuer says", answer)


async def _sent(
    egress: Egress, address: str, fields: Mapping[str, str], secret: Mapping[str, str]
) -> EgressResponse:
    body = urlencode(fields).encode()
    return await ask(egress, "POST", address, headers=FORM, secret=secret, body=body)
