"""What the standard parser of JSON would take, refused while it reads."""

from __future__ import annotations

import math
from typing import Any, NoReturn

from engine.core.values.limits.refusals import Code, UnreadableInput

_INT64 = 2**63


class JsonHooks:
    """The hooks that refuse what the standard parser would take."""

    def __init__(self, code: Code) -> None:
        self.code = code

    def constant(self, name: str) -> NoReturn:
        raise UnreadableInput(self.code, "", f"{name} is not JSON")

    def number(self, text: str) -> float:
        value = float(text)
        if not math.isfinite(value):
            raise UnreadableInput(self.code, "", f"{text[:40]} is too large a number")
        return value

    def integer(self, text: str) -> int:
        value = int(text) if len(text) <= 20 else _INT64
        if not -_INT64 <= value < _INT64:
            raise UnreadableInput(self.code, "", f"integer {text[:40]} does not fit into 64 bits")
        return value

    def members(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    raise UnreadableInput(self.code, key[:200], "the key is there twice")
                seen.add(key)
        return members
