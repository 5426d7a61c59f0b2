"""The secrets that calls are signed with: sealed, shown once, two of them while one is changed."""

from __future__ import annotations

import secrets
from typing import Final

from builder.base import vault
from builder.base.clock import DAY_MS
from builder.base.errors import InvalidInput
from builder.models import Trigger, TriggerSecret
from engine.integrations import standard_webhooks

LONGEST: Final = 200
SHORTEST: Final = 16


def new_secret(scheme: str) -> str:
    """Return a fresh secret in the form that senders of this kind take."""
    if scheme == "standard":
        return standard_webhooks.new_secret()
    return secrets.token_urlsafe(32)


def keep(trigger: Trigger, text: str) -> None:
    """Seal a secret as the trigger's only present one."""
    row = TriggerSecret(trigger=trigger)
    row.sealed = vault.seal(text, row.pk)
    row.save(force_insert=True)


def rotate(trigger: Trigger, text: str, now: int) -> None:
    """Keep another secret; the present one holds for a day longer, older ones no more."""
    trigger.secrets.filter(until__isnull=False).delete()
    trigger.secrets.update(until=now + DAY_MS)
    keep(trigger, text)


def held(trigger: Trigger, now: int) -> list[str]:
    """Return the secrets that hold now, the present one first."""
    rows = trigger.secrets.order_by("until")
    present = [row for row in rows if row.until is None or row.until > now]
    present.sort(key=lambda row: row.until is not None)
    return [vault.unseal(bytes(row.sealed), row.pk) for row in present]


def check_secret(scheme: str, text: str) -> None:
    """Raise `InvalidInput` for a secret that is too short, too long, or not of the scheme's form."""
    if not SHORTEST <= len(text) <= LONGEST or not text.isprintable():
        raise InvalidInput(f"{SHORTEST} to {LONGEST} characters", path="secret")
    if scheme == "standard" and not standard_webhooks.key_of(text):
        raise InvalidInput("whsec_ and base64, as Standard Webhooks write secrets", path="secret")
