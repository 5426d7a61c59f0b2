"""Effect classes: what a takeover may do with a call whose outcome is unknown."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Final


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

    @classmethod
    def named(cls, value: EffectClass | str) -> EffectClass:
        """Return the class that is meant, by itself or by its name. Raises `ValueError`."""
        try:
            return cls(value)
        except ValueError:
            known = ", ".join(each.value for each in cls)
            raise ValueError(f"{value!r} is no effect class; there are {known}") from None


MADE_ONCE: Final = frozenset({EffectClass.KEYED, EffectClass.UNSAFE, EffectClass.PROBE})
"""Effects that a new attempt takes over from the one before: making them again would be another."""


def idempotency_key(run_id: str, activation: str, attempt: int, path: str) -> str:
    """Return the key of one outside call: the same for the same place, another for every other."""
    text = f"{run_id}\x1f{activation}\x1f{attempt}\x1f{path}"
    return hashlib.sha256(text.encode()).hexdigest()
