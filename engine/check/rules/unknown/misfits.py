"""Values beside literals that they cannot be compared with, or never are: by what is declared."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

from engine.check.rules.unknown.fieldless import declared
from engine.check.rules.unknown.strangers import Place, nearest
from engine.check.subject import Subject
from engine.core.expressions.cel import Compared, Constant
from engine.core.graph.cures import Cure, Edit
from engine.core.graph.problems import Problem, one_of
from engine.core.values.effort import charge

_KINDS: Final = {
    "string": ("text", "a text"),
    "number": ("number", "a number"),
    "integer": ("number", "a number"),
    "boolean": ("bool", "yes or no"),
    "array": ("list", "a list"),
    "object": ("object", "an object"),
}
"""What a declared type is called: among literals, and in words."""
_EXACT: Final = 2**53
"""Whole numbers up to here are told apart as literals are."""
SHOWN: Final = 60
"""Characters of a text that are shown in a message."""
_LITERALS: Final = {"text": "a text", "number": "a number"}


@dataclass(frozen=True, slots=True)
class Misfit:
    """A comparison that cannot be right; `instead` is how the literal was probably meant."""

    code: str
    message: str
    about: tuple[str, ...]
    literal: Constant
    instead: str | float | None = None

    def told(self, problem: Problem, place: Place | None) -> Problem:
        """Return the problem with the literal that was meant, where it is clear which one stands there."""
        told = problem.on(*self.about)
        if self.instead is None or place is None:
            return told.mended(self.message)
        quotes = [q for q in "'\"" if f"{q}{self.literal[1]}{q}" in place.text]
        stands = [f"{q}{self.literal[1]}{q}" for q in quotes]
        if len(stands) != 1 or place.text.count(stands[0]) != 1:
            return told.mended(self.message)
        text = self.instead if isinstance(self.instead, str) else None
        new = _shown(self.instead) if text is None else f"{quotes[0]}{text}{quotes[0]}"
        edit = Edit(place.part, place.id, place.path, place.text.replace(stands[0], new))
        label = f"Use {_shown(self.instead) if text is None else text}"
        return told.mended(self.message, Cure(label, (edit,)))


def misfits(subject: Subject, compared: Iterable[Compared]) -> Iterator[Misfit]:
    """Yield each comparison of a declared value that surely fails, or surely says nothing of it."""
    for path, literal, ordered in sorted(compared):
        schema = _schema(subject, path)
        found = _unordered(path, literal, schema) if ordered else _no_choice(path, literal, schema)
        if found is not None:
            yield found


def _schema(subject: Subject, path: tuple[str, ...]) -> Mapping[str, Any]:
    """Return what is declared of the value at a path, nothing where that is not sure."""
    known: Any = declared(subject, path[0])
    schema: Any = None
    for name in path[1:]:
        charge(1)
        schema = known.get(name) if isinstance(known, Mapping) else None
        if not isinstance(schema, Mapping) or "$ref" in schema:
            return {}
        known = schema.get("properties")
    return schema or {}


def _unordered(
    path: tuple[str, ...], literal: Constant, schema: Mapping[str, Any]
) -> Misfit | None:
    """Return what is wrong where one of two kinds is to be less than the other."""
    kind, words = _KINDS.get(str(schema.get("type")), ("", ""))
    if not kind or literal[0] not in _LITERALS or kind == literal[0]:
        return None
    what = _LITERALS[literal[0]]
    message = (
        f"{path[-1]} is {words}: it is neither more nor less than {what}, {_shown(literal[1])}."
    )
    instead = _number(literal[1]) if kind == "number" else None
    return Misfit("CannotCompare", message, path, literal, instead)


def _no_choice(
    path: tuple[str, ...], literal: Constant, schema: Mapping[str, Any]
) -> Misfit | None:
    """Return what is wrong where a value is to be none of its choices."""
    choices = schema.get("enum")
    if not isinstance(choices, list | tuple) or literal[1] == "":  # whether anything is chosen
        return None
    charge(len(choices))
    kinds = (_constant(choice) for choice in choices)
    known = [constant for constant in kinds if constant is not None]
    if (
        not known
        or literal in known
        or not all(choice is None or _constant(choice) for choice in choices)
    ):
        return None
    texts = [str(value) for kind, value in known if kind == "text"]
    near = nearest(str(literal[1]), texts) if literal[0] == "text" else None
    meant = (
        f'Did you mean "{near}"?'
        if near
        else f"Known are: {one_of(map(_shown, (v for _, v in known)))}."
    )
    message = f"{path[-1]} is never {_shown(literal[1])}. {meant}"
    return Misfit(
        "UnknownChoice", message, path, literal, near if near and near.isprintable() else None
    )


def _constant(value: object) -> Constant | None:
    """Return a choice as literals are told apart."""
    if isinstance(value, bool):
        return "bool", value
    if isinstance(value, int | float):
        return ("number", float(value)) if abs(value) <= _EXACT else None
    return ("text", value) if isinstance(value, str) else None


def _number(text: object) -> float | None:
    """Return the number that a text shows."""
    try:
        found = json.loads(str(text))
        number = float(found) if type(found) in (int, float) else None
    except (ValueError, OverflowError):
        return None
    return number if number is not None and isfinite(number) else None


def _shown(value: object) -> str:
    """Return a literal as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    text = str(value)
    return f'"{text}"' if len(text) <= SHOWN else f'"{text[:SHOWN]}…"'
