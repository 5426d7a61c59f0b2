"""How a reference is written in a text: `outputs.ghost`, `outputs["ghost"]`."""

from __future__ import annotations

import re

from engine.core.expressions.cel import Reference


def mention(path: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds a reference to a path, or to something inside it, in a text."""
    steps = "".join(map(step, path[1:]))
    return re.compile(rf"(?:(?<![\w.])|(?<=\$\.)){re.escape(path[0])}{steps}(?!\w)")


def step(name: str) -> str:
    """Return the pattern of one step of a path."""
    told = re.escape(name)
    return rf"""\s*(?:\.\s*{told}(?!\w)|\[\s*(?:'{told}'|"{told}")\s*\])"""


def called(text: str, path: tuple[str, ...], other: tuple[str, ...]) -> str:
    """Return the text in which each mention of a path is one of another path."""
    return mention(path).sub(lambda _found: str(Reference(other, guarded=False)), text)
