"""Effect classes: what a takeover may do with a call whose outcome is unknown."""

from __future__ import annotations

import hashlib
from enum import StrEnum


class EffectClass(StrEnum):
    """How safe it is to make a call again when nobody knows whether it happened."""

    PURE = "pure"
    """No effect at all; evaluated again."""
    READ = "read"
    """Only looks; made again."""
    LLM = "llm"
    """A model call; made again, the unknown one counts as spent."""
    KEYED = "keyed"
    """The other side honours our idempotency key; sent again with the same key."""
    PROBE = "probe"
    """Can be looked up by our key; looked up, then decided."""
    UNSAFE = "unsafe"
    """Never sent again by itself: a person decides."""


def idempotency_key(run_id: str, activation: str, attempt: int, path: str) -> str:
    """Return the key of one outside call: the same for the same place, another for every other."""
    text = "\x1f".join((run_id, activation, str(attempt), path))
    number = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big") << 4
    return "".join([_PAIRS[number >> shift & 1023] for shift in range(250, -1, -10)])


_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
"""Base 32 by ten bits at a time: several times as quick as the standard library."""
