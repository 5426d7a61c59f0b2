"""Seals credentials with AES-256-GCM under the key that is kept outside the database."""

from __future__ import annotations

import hashlib
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

NONCE_BYTES = 12


class VaultLocked(ValueError):
    """A sealed value was made under another key, or for another row."""


def seal(value: str, row_id: str) -> bytes:
    """Return `value` encrypted; it opens for the row with `row_id` only."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce + _cipher().encrypt(nonce, value.encode(), row_id.encode())


def unseal(sealed: bytes, row_id: str) -> str:
    """Return what was sealed. Raises `VaultLocked`."""
    try:
        plain = _cipher().decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], row_id.encode())
    except InvalidTag:
        raise VaultLocked("this credential was sealed under another key") from None
    return plain.decode()


def _cipher() -> AESGCM:
    return AESGCM(hashlib.sha256(settings.CREDENTIALS_KEY.encode()).digest())
