"""References to large values: they stand for a value that is read apart, and are never one themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.core.errors import RequestRefused

CODE = "ReferenceInEdits"
REFERENCE: Final = "$blob"
LONGEST: Final = 300
"""Characters up to which a text may be a reference that was written out."""
LONGEST_NAME: Final = 100
DEEPEST: Final = 20
"""Of a place that is told: characters of each name, and how many names."""


def refuse_references(edits: Mapping[str, Any]) -> None:
    """Raise `RequestRefused` `ReferenceInEdits` where an edit has a reference in place of a value."""
    waiting: list[_Step] = [_Step(None, key, value) for key, value in edits.items()]
    for step in waiting:
        if _is_reference(step.value):
            key, place = _place(step)
            message = (
                f"{place} is the reference of a large value, not the value: "
                "leave it out to keep the value as it is, or send the whole value"
            )
            raise RequestRefused(CODE, message, detail={"key": key, "place": place})
        if isinstance(step.value, Mapping):
            waiting += [_Step(step, name, held) for name, held in step.value.items()]
        elif isinstance(step.value, list | tuple):
            waiting += [_Step(step, at, held) for at, held in enumerate(step.value)]


class _Step(NamedTuple):
    """A value, its name, and what it stands in: a place is put together only where it is told."""

    inside: _Step | None
    name: str | int
    value: object


def _place(step: _Step) -> tuple[str, str]:
    """Return the edited key, and the place in it as `edits.key.name`, cut to what can be read."""
    names = [step.name]
    while step.inside is not None:
        step = step.inside
        names.append(step.name)
    told = ".".join(["edits", *(str(name)[:LONGEST_NAME] for name in reversed(names[-DEEPEST:]))])
    return str(names[-1]), told


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
