"""What calls out are for: an entry of an allow-list may be for one of them alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

from engine.integrations.egress.failures import EgressRefused

Purpose: TypeAlias = Literal["node", "model", "tool", "notice", "identity", "mail", "ssh"]
PURPOSES: Final = frozenset(get_args(Purpose))
PORTS: Final[Mapping[Purpose, frozenset[int]]] = {
    "mail": frozenset({143, 993}),
    "ssh": frozenset({22}),
}
"""Ports on the public net that may be dialled for a purpose, beside what an allow-list names."""


def parted(entry: str) -> tuple[Purpose | None, str]:
    """Return the purpose of an entry written `model=http://10.0.0.5:8000`, and its address.

    Raises `EgressRefused` for a purpose that there is not.
    """
    before, equals, address = entry.partition("=")
    if not equals or "/" in before or ":" in before:
        return None, entry
    for purpose in get_args(Purpose):
        if before == purpose:
            return purpose, address
    raise EgressRefused(f"{before!r} is no purpose: one of {', '.join(sorted(PURPOSES))}")
