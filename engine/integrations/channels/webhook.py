"""Webhooks out, as Standard Webhooks say: an id that stays, a time, a signature for each secret."""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import b64decode, b64encode
from collections.abc import Collection, Sequence
from typing import Final

from engine.integrations.channels.kind import Kind, Place, Post, hint_of, https_target
from engine.integrations.egress import Origin

PREFIX: Final = "whsec_"
SECRET: Final = re.compile(r"whsec_[A-Za-z0-9+/]{32,88}={0,2}")


def signature(secret: str, name: str, at_s: int, body: bytes) -> str:
    """Return `v1,` and the base64 HMAC of `id.time.body`."""
    key = b64decode(secret.removeprefix(PREFIX))
    mac = hmac.new(key, f"{name}.{at_s}.".encode() + body, hashlib.sha256)
    return f"v1,{b64encode(mac.digest()).decode()}"


def signed(place: Place, secrets: Sequence[str], name: str, at_s: int, body: bytes) -> Post:
    """Return the POST of one event; while a secret is changed it carries two signatures."""
    headers = {
        "Content-Type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": str(at_s),
        "webhook-signature": " ".join(signature(one, name, at_s, body) for one in secrets),
    }
    return Post(place.address, body, headers)


def _check(place: Place, allowed: Collection[Origin]) -> str:
    return hint_of(https_target(place, allowed))


WEBHOOK: Final = Kind(_check)
