"""Schemas of a document as JSON Schema 2020-12: references into `$defs`, 3.0 written as 3.1."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.core.values.json import canonical, freeze
from engine.core.values.limits import KIB, MIB
from engine.integrations.tools.openapi.document import Document, OpenApiRefused

MAX_SCHEMA: Final = 64 * KIB
"""Bytes of one tool's schema with all that it refers to: a model reads it with every question."""
MAX_WORK: Final = 16 * MIB
"""Bytes that are converted for one document: many operations may refer to one large part."""
TOO_LARGE: Final = (
    f"its arguments are described by more than {MAX_SCHEMA // KIB} KiB, which a model would read"
    " with every question"
)

_DROPPED: Final = frozenset(
    {"discriminator", "example", "examples", "externalDocs", "nullable", "xml"}
    | {"$anchor", "$comment", "$id", "$schema"}
)
_OF_NAMES: Final = frozenset({"properties", "patternProperties", "dependentSchemas"})
_OF_LISTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_OF_ONE: Final = frozenset(
    {"additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"}
    | {"unevaluatedItems", "unevaluatedProperties"}
)


@dataclass(frozen=True, slots=True)
class _Part:
    """One schema, converted once: what it refers to, and its bytes."""

    schema: Any
    refs: frozenset[str]
    size: int


class Schemas:
    """The schemas of one document. What several operations refer to is converted once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._names: dict[str, str] = {}
        self._taken: set[str] = set()
        self._parts: dict[str, _Part | OpenApiRefused] = {}
        self._left = MAX_WORK
        self._left_here = 0

    def converted(self, schema: Any) -> tuple[Any, frozenset[str]]:
        """Return a schema and the references in it. Raises `OpenApiRefused`."""
        refs: set[str] = set()
        self._left_here = MAX_SCHEMA
        return self._convert(schema, refs), frozenset(refs)

    def defs(self, refs: frozenset[str], used: int) -> dict[str, Any]:
        """Return what references lead to, by the names that `$ref` has now.

        `used` are the bytes that refer to it. Raises `OpenApiRefused` beyond `MAX_SCHEMA`.
        """
        found: dict[str, Any] = {}
        seen, left = set(refs), list(refs)
        while left:
            ref = left.pop()
            part = self._part(ref)
            used += part.size
            if used > MAX_SCHEMA:
                raise OpenApiRefused(TOO_LARGE)
            found[self._name(ref)] = part.schema
            left += part.refs - seen
            seen |= part.refs
        return dict(sorted(found.items()))

    def _part(self, ref: str) -> _Part:
        known = self._parts.get(ref)
        if known is None:
            try:
                schema, refs = self.converted(self._document.at(ref))
                known = _Part(schema, refs, len(canonical(freeze(schema))))
            except OpenApiRefused as refused:
                known = refused
            self._parts[ref] = known
        if isinstance(known, OpenApiRefused):
            raise OpenApiRefused(str(known))
        return known

    def _name(self, ref: str) -> str:
        known = self._names.get(ref)
        if known is None:
            plain = re.sub(r"[^A-Za-z0-9_.-]", "_", ref.rsplit("/", 1)[-1])[:60] or "schema"
            known = plain if plain not in self._taken else f"{plain}-{len(self._taken)}"
            self._names[ref] = known
            self._taken.add(known)
        return known

    def _convert(self, schema: Any, refs: set[str]) -> Any:
        self._spend(8)
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, Mapping):
            raise OpenApiRefused("a schema is an object, and something else stands in its place")
        if "$dynamicRef" in schema or "$recursiveRef" in schema:
            raise OpenApiRefused("it has a $dynamicRef, which is not followed")
        if "$ref" in schema:
            return self._reference(schema, refs)
        made = {
            name: self._keyword(name, value, refs)
            for name, value in schema.items()
            if name not in _DROPPED and not name.startswith("x-")
        }
        return _from_3_0(made, schema) if self._document.nullable else made

    def _reference(self, schema: Mapping[str, Any], refs: set[str]) -> dict[str, Any]:
        ref = schema["$ref"]
        self._document.at(ref)
        refs.add(ref)
        text = schema.get("description")
        beside = {"description": text} if isinstance(text, str) else {}
        return {"$ref": f"#/$defs/{self._name(ref)}", **beside}

    def _keyword(self, name: str, value: Any, refs: set[str]) -> Any:
        self._spend(len(name))
        if name in _OF_NAMES and isinstance(value, Mapping):
            self._spend(sum(map(len, value)))
            return {key: self._convert(each, refs) for key, each in value.items()}
        if name in _OF_LISTS and isinstance(value, list):
            return [self._convert(each, refs) for each in value]
        if name in _OF_ONE:
            return self._convert(value, refs)
        self._weigh(value)
        return value

    def _weigh(self, value: Any) -> None:
        """Spend what a value will be as text, about; stops as soon as that is too much."""
        left = [value]
        while left:
            each = left.pop()
            self._spend(4 + len(each) if isinstance(each, str) else 4)
            if isinstance(each, Mapping):
                self._spend(sum(map(len, each)))
                left += each.values()
            elif isinstance(each, list):
                self._spend(4 * len(each))
                left += each

    def _spend(self, size: int) -> None:
        self._left -= size
        self._left_here -= size
        if self._left_here < 0:
            raise OpenApiRefused(TOO_LARGE)
        if self._left < 0:
            raise OpenApiRefused("the document repeats too much: give a smaller part of it")


def _from_3_0(made: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    for bound in ("Minimum", "Maximum"):
        strict = made.pop(f"exclusive{bound}", None)
        if strict is True and bound.lower() in made:
            made[f"exclusive{bound}"] = made.pop(bound.lower())
    if given.get("nullable") is not True:
        return made
    kind = made.get("type")
    if not isinstance(kind, str):
        return {"anyOf": [made, {"type": "null"}]}
    made["type"] = [kind, "null"]
    if isinstance(made.get("enum"), list) and None not in made["enum"]:
        made["enum"] = [*made["enum"], None]
    return made
