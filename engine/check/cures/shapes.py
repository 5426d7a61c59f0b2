"""Names that somebody wrote where a schema belongs, made into its fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.check.cures.places import put, there
from engine.check.rules.schemas import is_shaped
from engine.check.subject import Subject
from engine.core.graph.cures import Cure
from engine.core.graph.problems import Problem
from engine.core.values.effort import charge

_TYPES: Final = {
    **dict.fromkeys(("string", "text", "str"), "string"),
    **dict.fromkeys(("number", "float"), "number"),
    **dict.fromkeys(("integer", "int"), "integer"),
    **dict.fromkeys(("boolean", "bool"), "boolean"),
}
_DEEPEST: Final = 8


def as_fields(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the schema that the names stand for."""
    given = there(subject, problem)
    if isinstance(given, Mapping) and given:
        only = given.get("inputs") if len(given) == 1 else None
        names = only if isinstance(only, Mapping) and only else given
        yield Cure("Make these fields", (put(subject, problem, _object(names, 0)),))


def _object(names: Mapping[str, Any], depth: int) -> dict[str, Any]:
    charge(len(names))
    fields = {str(name): _field(value, depth + 1) for name, value in names.items()}
    return {"type": "object", "properties": fields}


def _field(value: Any, depth: int) -> dict[str, Any]:
    if isinstance(value, str):
        known = _TYPES.get(value.strip().lower())
        return {"type": known} if known else {"type": "string", "examples": [value]}
    if isinstance(value, bool):
        return {"type": "boolean", "examples": [value]}
    if isinstance(value, int | float):
        return {"type": "number", "examples": [value]}
    if isinstance(value, list):
        return {"type": "array", "items": {"type": "string"}}
    if isinstance(value, Mapping) and depth < _DEEPEST:
        return dict(value) if is_shaped(value) else _object(value, depth)
    return {"type": "object"}
