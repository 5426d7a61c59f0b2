"""Texts that can be stored."""

from __future__ import annotations

import re
from typing import Any

from engine.core.values.limits.refusals import Code, UnreadableInput

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def refuse_unstorable(value: object, code: Code) -> None:
    """Raise `UnreadableInput`, naming the place, if any text has NUL or a lone surrogate."""
    stack: list[tuple[str, Any]] = [("", value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, str):
            if not _is_storable(item):
                raise UnreadableInput(code, path, "NUL and lone surrogates cannot be stored")
        elif isinstance(item, dict):
            for key, inner in item.items():
                place = f"{path}.{key}" if path else key
                if not _is_storable(key):
                    raise UnreadableInput(code, path, "a key has NUL or a lone surrogate")
                stack.append((place, inner))
        elif isinstance(item, list):
            stack.extend((f"{path}[{index}]", inner) for index, inner in enumerate(item))


def _is_storable(text: str) -> bool:
    """Return whether a text has neither NUL nor lone surrogates; a long one in a millisecond or two."""
    if text.isascii():
        return "\0" not in text
    return _UNSTORABLE.search(text) is None
