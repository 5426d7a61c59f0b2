"""The order in which the models of a provider are offered, read from their names: no list dates them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from typing import Final

VERSION: Final = re.compile(r"(?<![0-9.])([0-9]{1,2})(?:[.-]([0-9]{1,2}))?(?![0-9]|[bk](?![a-z]))")
"""The first number that is no date, length or size: 4.5 of `claude-opus-4-5`, 4 of `gpt-4o`."""
WORD: Final = re.compile(r"[a-z]+")
SPECIAL: Final = frozenset(
    [
        "audio",
        "computer",
        "ft",
        "image",
        "live",
        "realtime",
        "robotics",
        "search",
        "transcribe",
        "tts",
        "vision",
    ]
)
"""Words of models that are for one thing only, such as speech; chat is what agents do."""


def newest_first(names: Collection[str]) -> list[str]:
    """Return the names with those for chat first, of them the largest family, of it the newest."""
    families = Counter(_family(name) for name in names)

    def place(name: str) -> tuple[bool, int, int, int, str]:
        special = not SPECIAL.isdisjoint(WORD.findall(name))
        major, minor = _version(name)
        return special, -families[_family(name)], -major, -minor, name

    return sorted(names, key=place)


def _family(name: str) -> str:
    found = WORD.search(name)
    return found[0] if found else ""


def _version(name: str) -> tuple[int, int]:
    found = VERSION.search(name)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)
