"""The tokens of a source that a person connected: read where they are needed, renewed by one."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

import orjson
from django.db.models import Q
from django.utils import timezone

from builder.adapters.threads import in_thread
from builder.base import vault
from builder.models import ToolGrant
from engine.core.errors import NodeError, ToolFailed
from engine.integrations.egress import Egress, EgressRefused, HttpUnavailable
from engine.integrations.tools.oauth import Client, ConsentRefused, Desk, Tokens, renew, revoke

EARLY: Final = timedelta(seconds=30)
"""So long before its end a token is renewed."""
CLAIM: Final = timedelta(seconds=30)
"""So long one process may take to renew; then another one tries."""
WAIT_S: Final = 0.25
ROUNDS: Final = 80
FINAL: Final = frozenset({"invalid_grant", "invalid_client", "unauthorized_client"})
"""What an issuer says of a consent that is over."""
DISCONNECTED: Final = "somebody disconnected it"
PATIENCE_S: Final = 10.0
"""Seconds that an issuer gets to take tokens back: nobody is made to wait longer for it."""
log = logging.getLogger("graphwright.tools")


@dataclass(frozen=True, slots=True)
class Held:
    """A consent as it stands."""

    pk: str
    serial: int
    issuer: str
    desk: Desk
    access: str = field(repr=False)
    refresh: str = field(repr=False)
    expires_at: datetime | None
    ended: str

    def lasts(self) -> bool:
        """Return whether the token is good for a call now, as far as its issuer told."""
        return self.expires_at is None or self.expires_at - EARLY > timezone.now()


def sealed_of(pk: str, tokens: Tokens, client_secret: str) -> bytes:
    """Return the secrets of a consent, sealed for its row."""
    kept = {"access": tokens.access, "refresh": tokens.refresh, "client": client_secret}
    return vault.seal(orjson.dumps(kept).decode(), pk)


def end_of(tokens: Tokens) -> datetime | None:
    """Return when a token that was issued now ends; None where nobody said."""
    lasts = tokens.expires_in
    return None if lasts is None else timezone.now() + timedelta(seconds=lasts)


class GrantBearer:
    """Gives the access token of one source, renewed where it is over.

    One process renews at a time: many issuers take a second use of one refresh token for a theft.
    """

    def __init__(self, source: str, slug: str, egress: Egress) -> None:
        self._source = source
        self._slug = slug
        self._egress = egress

    async def __call__(self, refused: str) -> str:
        """Return a token other than `refused`.

        Raises `NodeError` `ToolNotConnected` where a person must connect the source anew, and
        `ToolFailed` where the issuer cannot be asked now.
        """
        for _ in range(ROUNDS):
            held = await in_thread(held_of, self._source)
            if held is None or held.ended:
                raise self._over("" if held is None else held.ended)
            if held.access != refused and held.lasts():
                return held.access
            if not held.refresh:
                await in_thread(_end, held, "the sign-in is over, and was given without renewal")
            elif await in_thread(_claim, held):
                await self._renew(held)
            else:
                await asyncio.sleep(WAIT_S)
        raise ToolFailed(f"{self._slug}: its sign-in was not renewed in time")

    async def _renew(self, held: Held) -> None:
        try:
            tokens = await renew(self._egress, held.desk, held.refresh)
        except ConsentRefused as said:
            if said.code not in FINAL:
                raise await self._later(held, said.words) from None
            await in_thread(_end, held, said.words)
        except (EgressRefused, HttpUnavailable) as said:
            raise await self._later(held, said.message) from None
        else:
            if not await in_thread(_keep, held, tokens):
                await self._unwanted(held, tokens)

    async def _unwanted(self, held: Held, tokens: Tokens) -> None:
        """Give tokens back that came after somebody had disconnected: nobody else knows them."""
        try:
            await give_back(self._egress, held, tokens)
        except (ConsentRefused, EgressRefused, HttpUnavailable, TimeoutError) as refused:
            why = type(refused).__name__
            log.warning("%s: its new tokens were not taken back: %s", self._slug, why)

    async def _later(self, held: Held, words: str) -> ToolFailed:
        await in_thread(_release, held)
        return ToolFailed(f"{self._slug}: its sign-in cannot be renewed now: {words}")

    def _over(self, why: str) -> NodeError:
        reason = f" ({why})" if why else ""
        return NodeError(
            "ToolNotConnected",
            f"{self._slug} is not connected any more{reason}: an admin connects it under Settings,"
            " Tools",
            detail={"source": self._slug},
        )


def held_of(source: str) -> Held | None:
    """Return the consent of a source as it stands, None without one. Raises `VaultLocked`."""
    row = ToolGrant.objects.filter(source=source).first()
    if row is None:
        return None
    secrets: dict[str, Any] = orjson.loads(vault.unseal(bytes(row.sealed), row.pk))
    client = Client(row.client_id, secrets["client"], row.client_method)
    return Held(
        row.pk,
        row.serial,
        row.issuer,
        Desk(row.token_url, client, row.resource),
        secrets["access"],
        secrets["refresh"],
        row.expires_at,
        row.ended,
    )


def _claim(held: Held) -> bool:
    now = timezone.now()
    free = Q(claimed_until=None) | Q(claimed_until__lt=now)
    rows = ToolGrant.objects.filter(free, pk=held.pk, serial=held.serial)
    return rows.update(claimed_until=now + CLAIM) == 1


def ended_by_hand(source: str) -> Held | None:
    """Mark the consent of a source as disconnected and return what it held.

    From here on nobody renews it, and a renewal on its way is not kept: what this returns is all
    that is left to be given back. Raises `VaultLocked`.
    """
    ToolGrant.objects.filter(source=source, ended="").update(ended=DISCONNECTED)
    return held_of(source)


async def give_back(egress: Egress, held: Held, tokens: Tokens) -> bool:
    """Have the issuer of a consent take tokens of it back; False where it does not announce how.

    Raises `ConsentRefused`, `EgressRefused`, `HttpUnavailable`, and `TimeoutError` after
    `PATIENCE_S`.
    """
    async with asyncio.timeout(PATIENCE_S):
        return await revoke(egress, held.issuer, held.desk, tokens)


def _keep(held: Held, tokens: Tokens) -> bool:
    """Keep renewed tokens; False where the consent was ended or removed since."""
    rows = ToolGrant.objects.filter(pk=held.pk, ended="")
    kept = rows.filter(serial=held.serial).update(
        sealed=sealed_of(held.pk, tokens, held.desk.client.secret),
        serial=held.serial + 1,
        claimed_until=None,
        expires_at=end_of(tokens),
    )
    # Another's renewal in the place of this one is no end: to give these back might end that too.
    return kept == 1 or rows.exists()


def _end(held: Held, why: str) -> None:
    """Mark the consent as over; the secrets go, as nothing can be done with them."""
    rows = ToolGrant.objects.filter(pk=held.pk, serial=held.serial, ended="")
    rows.update(ended=why, claimed_until=None, sealed=sealed_of(held.pk, Tokens(""), ""))


def _release(held: Held) -> None:
    ToolGrant.objects.filter(pk=held.pk, serial=held.serial).update(claimed_until=None)
