"""What checking a value against a JSON Schema may cost, found before it is compiled.

A `$ref` costs what it stands for: thirty definitions that each name the next one twice are two to
the power of thirty steps. A definition that refers to itself further down costs by the depth of the
value: where two branches look at the same part, each level doubles the steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote

MAX_SUBSCHEMAS: Final = 10_000
"""Places of one schema that are schemas, and values of its lists: a tenth of a second to compile."""
MAX_EXPANDED: Final = 2_000
"""Schemas that stand for one place, references followed: to say what is wrong with a value, the
library writes about 40,000 of them down in a second."""
MAX_CHAIN: Final = 100
"""Schemas inside of one another, references followed, that all stand for the same place."""
MAX_STEPS: Final = 1_000_000
"""Schemas that one value is held against, which takes the library about a tenth of a second."""
MAX_LOOKED_AT: Final = 100_000
"""Schemas that are looked at to find the bounds."""

_ONE = ("not", "if", "then", "else")
_MANY = ("allOf", "anyOf", "oneOf")
_BELOW_NAMED = ("properties", "patternProperties")
_BELOW_ONE = (
    "items",
    "contains",
    "additionalItems",
    "unevaluatedItems",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
)
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


class SchemaTooDear(ValueError):
    """A schema would take too many steps; the message says which part, and what helps."""


class SchemaCost:
    """The bounds of one schema. Raises `SchemaTooDear` for one that is too large or too wide."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._root = schema
        self._steps: dict[int, int] = {}
        self._open: set[int] = set()
        self._looked_at = 0
        self.subschemas = _count(schema)
        if self.subschemas > MAX_SUBSCHEMAS:
            raise SchemaTooDear(
                f"the schema has more than {MAX_SUBSCHEMAS} parts: describe less, or in several"
            )
        self.branches = 1
        """How many times one level of a value is looked at because of the level above."""
        self.expanded = 1
        self._referring = _referring(schema)
        if self._referring:
            for each in _walk(schema):
                self.expanded = max(self.expanded, self._expanded(each))
                self.branches = max(self.branches, self._widest(each))

    def steps(self, value: object) -> int:
        """Return how many schemas `value` may be held against, at most `MAX_STEPS` and one."""
        levels = 1 if self.branches == 1 else self.branches ** min(_depth(value), 64)
        return min(self.expanded * levels, MAX_STEPS + 1)

    def _expanded(self, schema: object) -> int:
        """Return the schemas that one value is held against here, references followed."""
        if not isinstance(schema, Mapping):
            return 1
        key = id(schema)
        if key in self._open:
            raise SchemaTooDear("a $ref leads back to itself without going deeper into the value")
        if key not in self._steps:
            if len(self._open) >= MAX_CHAIN:
                raise _too_wide()
            self._open.add(key)
            found = 1 + sum(self._expanded(inner) for inner in self._beside(schema))
            self._open.discard(key)
            if found > MAX_EXPANDED:
                raise _too_wide()
            self._steps[key] = found
        return self._steps[key]

    def _beside(self, schema: Mapping[str, Any]) -> Iterator[Any]:
        """Yield what the same value is held against as well."""
        for word in _ONE:
            if word in schema:
                yield schema[word]
        for word in _MANY:
            if isinstance(schema.get(word), (list, tuple)):
                yield from schema[word]
        if isinstance(schema.get("dependentSchemas"), Mapping):
            yield from schema["dependentSchemas"].values()
        for word in _REFERENCES:
            if isinstance(schema.get(word), str):
                yield self._target(schema[word])

    def _target(self, reference: str) -> Any:
        here: Any = self._root
        for part in reference.removeprefix("#").split("/")[1:]:
            name = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(here, (list, tuple)) and name.isdecimal() and int(name) < len(here):
                here = here[int(name)]
            else:
                here = here.get(name) if isinstance(here, Mapping) else None
        return here

    def _widest(self, schema: object) -> int:
        """Return how often the same part of a value is held against a schema that recurs."""
        looked: dict[str, int] = {}
        pending = [schema]
        while pending:
            each = pending.pop()
            self._looked_at += 1
            if self._looked_at > MAX_LOOKED_AT:
                raise _too_wide()
            if isinstance(each, Mapping):
                for word, inner in _below(each):
                    if id(inner) in self._referring:
                        looked[word] = looked.get(word, 0) + 1
                pending += self._beside(each)
        everywhere = looked.pop("", 0)
        return max(looked.values(), default=0) + everywhere or 1


def _too_wide() -> SchemaTooDear:
    return SchemaTooDear(
        f"the $refs of the schema stand for more than {MAX_EXPANDED} schemas, or {MAX_CHAIN} in a row:"
        " a definition that names the next one twice doubles it; name each once"
    )


def _below(schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the schemas of parts of a value, each with the part's name or "" for all of them."""
    for word in _BELOW_NAMED:
        named = schema.get(word)
        for name, inner in named.items() if isinstance(named, Mapping) else ():
            yield (str(name) if word == "properties" else ""), inner
    for word in (*_BELOW_ONE, "prefixItems"):
        inner = schema.get(word)
        if isinstance(inner, (Mapping, list, tuple)):
            yield f"[{word}]" if "tems" in word else "", inner


def _referring(schema: object) -> set[int]:
    """Return the ids of what of a schema has a reference in it, itself included. Linear: looked at once."""
    found: set[int] = set()
    pending = [(schema, False)]
    while pending:
        each, is_seen = pending.pop()
        if not isinstance(each, (Mapping, list, tuple)):
            continue
        parts = list(each.values()) if isinstance(each, Mapping) else each
        if not is_seen:
            pending.append((each, True))
            pending += [(part, False) for part in parts]
        elif (isinstance(each, Mapping) and any(word in each for word in _REFERENCES)) or any(
            id(part) in found for part in parts
        ):
            found.add(id(each))
    return found


def _walk(schema: object) -> Iterator[Mapping[str, Any]]:
    """Yield every object inside of a schema."""
    pending = [schema]
    while pending:
        each = pending.pop()
        if isinstance(each, Mapping):
            yield each
            pending += each.values()
        elif isinstance(each, (list, tuple)):
            pending += each


def _count(schema: object) -> int:
    """Return the objects, lists and values of a schema; no further than the limit."""
    pending, count = [schema], 0
    while pending and count <= MAX_SUBSCHEMAS:
        each = pending.pop()
        count += 1
        if isinstance(each, Mapping):
            pending += [
                inner for inner in each.values() if isinstance(inner, (Mapping, list, tuple))
            ]
        elif isinstance(each, (list, tuple)):
            pending += each
    return count


def _depth(value: object) -> int:
    """Return how deep a value nests."""
    depth, level = 0, [value]
    while level:
        level = [
            inner
            for each in level
            if isinstance(each, (Mapping, list, tuple))
            for inner in (each.values() if isinstance(each, Mapping) else each)
        ]
        depth += bool(level)
    return depth
