"""How Standard Webhooks sign: `v1,` and the base64 HMAC-SHA256 of `id.time.body`, times in seconds.

Both ways: what a trigger is sent, and what a channel sends.
"""

from __future__ import annotations

import binascii
import hmac
import re
import secrets
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Final

PREFIX: Final = "whsec_"
SECRET: Final = re.compile(r"whsec_[A-Za-z0-9+/]{32,88}={0,2}")
"""A secret of 24 to 64 bytes, which is what the specification asks for."""
ID: Final = "webhook-id"
TIMESTAMP: Final = "webhook-timestamp"
SIGNATURE: Final = "webhook-signature"
_VERSION: Final = "v1"
_SECRET_BYTES: Final = 32


def new_secret() -> str:
    """Return a fresh secret."""
    return PREFIX + b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def key_of(secret: str) -> bytes:
    """Return the key that a secret stands for, with or without its prefix; none where it is no base64."""
    return from_base64(secret.removeprefix(PREFIX))


def content(name: str, at: str, body: bytes) -> bytes:
    """Return what is signed: the id, the time as its header has it, and the raw body."""
    return f"{name}.{at}.".encode() + body


def headers(keys: Sequence[str], name: str, at_s: int, body: bytes) -> dict[str, str]:
    """Return the headers that prove an event, with a signature by each secret."""
    signed = content(name, str(at_s), body)
    macs = [b64encode(hmac.digest(key_of(each), signed, "sha256")).decode() for each in keys]
    return {
        ID: name,
        TIMESTAMP: str(at_s),
        SIGNATURE: " ".join(f"{_VERSION},{mac}" for mac in macs),
    }


def signatures(header: str) -> list[bytes]:
    """Return the signatures of a header, those of other versions left out."""
    parts = [part.partition(",") for part in header.split(" ")]
    return [from_base64(value) for version, _, value in parts if version == _VERSION]


def from_base64(text: str) -> bytes:
    """Return the bytes of base64 text, none where it is something else."""
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
