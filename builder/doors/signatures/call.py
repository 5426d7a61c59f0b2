"""A call as it came in, and how it fails to prove whence it comes."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

TOLERANCE_S: Final = 300
"""Seconds that a signed time may be off, either way."""
MOST_SIGNATURES: Final = 10
"""Signatures of one header that are looked at: a sender that changes its secret sends two."""


@dataclass(frozen=True, slots=True)
class Call:
    """The raw bytes of a body, and headers by their names in lower case."""

    body: bytes
    headers: Mapping[str, str]


class BadSignature(Exception):
    """The call does not prove who sent it; `code` is SignatureMissing, -Invalid or -Stale."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Scheme:
    """One way of signing.

    `verify(call, secret, now_s, options)` raises `BadSignature`; `id_of(call, body, options)` gives
    what the sender calls the delivery, None where it does not say. `hides` are the headers that
    carry the proof: no sample shows them.
    """

    verify: Callable[[Call, str, int, Mapping[str, Any]], None]
    id_of: Callable[[Call, Any, Mapping[str, Any]], str | None]
    hides: tuple[str, ...]


def header(call: Call, name: str) -> str:
    """Return a header. Raises `BadSignature` without it."""
    value = call.headers.get(name.lower(), "")
    if not value:
        raise BadSignature("SignatureMissing", f"the header {name} is missing")
    return value


def fresh(text: str, now_s: int) -> None:
    """Raise `BadSignature` unless `text` is a time in seconds within the tolerance."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 12:
        raise BadSignature("SignatureInvalid", "the signed time is no number of seconds")
    if abs(now_s - int(text)) > TOLERANCE_S:
        raise BadSignature(
            "SignatureStale",
            f"the signed time is more than {TOLERANCE_S} seconds off: look at the sender's clock",
        )


def matches(key: bytes, signed: bytes, given: list[bytes], algorithm: str = "sha256") -> None:
    """Raise `BadSignature` unless one of `given` is the HMAC of `signed`; takes equal time."""
    right = hmac.digest(key, signed, algorithm)
    found = [hmac.compare_digest(right, one) for one in given[:MOST_SIGNATURES]]
    if not any(found):
        raise BadSignature(
            "SignatureInvalid", "the signature does not fit: compare the secret on both sides"
        )


def from_hex(text: str) -> bytes:
    """Return the bytes of hexadecimal text, none where it is something else."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
