"""References to large values: they stand for a value that is read apart, and are never one themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from engine.core.errors import RequestRefused

CODE = "ReferenceInEdits"
REFERENCE: Final = "$blob"
LONGEST: Final = 300
"""Characters up to which a text may be a reference that was written out."""


def refuse_references(edits: Mapping[str, Any]) -> None:
    """Raise `RequestRefused` `ReferenceInEdits` where an edit has a reference in place of a value."""
    waiting: list[tuple[str, object]] = [(key, value) for key, value in edits.items()]
    for place, value in waiting:
        if _is_reference(value):
            message = (
                f"edits.{place} is the reference of a large value, not the value: "
                "leave it out to keep the value as it is, or send the whole value"
            )
            detail = {"key": place.partition(".")[0], "place": f"edits.{place}"}
            raise RequestRefused(CODE, message, detail=detail)
        if isinstance(value, Mapping):
            waiting += [(f"{place}.{name}", held) for name, held in value.items()]
        elif isinstance(value, list | tuple):
            waiting += [(f"{place}.{at}", held) for at, held in enumerate(value)]


def _is_reference(value: object) -> bool:
    """Return whether that is a reference, as an object or written out as text."""
    if isinstance(value, str):
        if len(value) > LONGEST or f'"{REFERENCE}"' not in value:
            return False
        try:
            value = json.loads(value)
        except ValueError:
            return False
    return isinstance(value, Mapping) and isinstance(value.get(REFERENCE), str)
