"""Where a channel leads, and what it is signed with: sealed, written and never read out."""

from __future__ import annotations

import json
from typing import Final

from builder.adapters.egress import allowed_origins
from builder.base import vault
from builder.base.clock import DAY_MS
from builder.base.errors import InvalidInput
from builder.base.vault import VaultLocked
from builder.models import Channel, ChannelSecret, Workspace
from engine.integrations.channels.kind import AddressInvalid, Place
from engine.integrations.channels.kinds import KINDS
from engine.integrations.standard_webhooks import PREFIX, SECRET, new_secret

__all__ = [
    "VaultLocked",
    "check",
    "check_secret",
    "keep_secret",
    "new_secret",
    "place_of",
    "seal",
    "secrets_of",
]
FORMER_MS: Final = DAY_MS
"""So long a webhook is signed with its former secret, too."""


def check(workspace: Workspace, kind: str, place: Place) -> str:
    """Return what may be shown of an address. Raises `InvalidInput` with the place."""
    try:
        return KINDS[kind].check(place, allowed_origins(workspace.pk, "notice"))[:120]
    except AddressInvalid as invalid:
        raise InvalidInput(invalid.message, path=invalid.path) from None


def seal(row: Channel, place: Place) -> None:
    """Keep an address in its row, which is not yet saved."""
    row.sealed = vault.seal(json.dumps({"address": place.address, "key": place.key}), row.pk)


def place_of(row: Channel) -> Place:
    """Return the address of a channel. Raises `VaultLocked`."""
    said = json.loads(vault.unseal(bytes(row.sealed), row.pk))
    return Place(said["address"], said["key"])


def check_secret(text: str) -> None:
    """Raise `InvalidInput` for what is no secret of Standard Webhooks."""
    if not SECRET.fullmatch(text) or len(text.removeprefix(PREFIX)) % 4:
        raise InvalidInput("whsec_ and base64 of 24 to 64 bytes", path="secret")


def keep_secret(row: Channel, text: str, now: int) -> None:
    """Take a secret; the present one is signed with for a day longer, older ones no more."""
    row.secrets.filter(until__isnull=False).delete()
    row.secrets.update(until=now + FORMER_MS)
    kept = ChannelSecret(channel=row)
    kept.sealed = vault.seal(text, kept.pk)
    kept.save(force_insert=True)


def secrets_of(row: Channel, now: int) -> list[str]:
    """Return what a webhook is signed with now, the present secret first."""
    present = [one for one in row.secrets.all() if one.until is None or one.until > now]
    present.sort(key=lambda one: one.until is not None)
    return [vault.unseal(bytes(one.sealed), one.pk) for one in present]
