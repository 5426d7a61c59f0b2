"""Fills a JSON Schema from a text. Every value is chosen from the schema or found in the text.

Where a required value is not in the text, the emptiest value that the schema allows stands for
it: null, else the schema's default, else "", 0 (moved into its bounds), false or [].
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.integrations.models.extractive import labels, ranking
from engine.integrations.models.extractive.kinds import (
    SCORE_WORDS,
    SEVERAL,
    claim_of,
    finder_for,
    numbers_for,
)
from engine.integrations.models.extractive.request import Reading
from engine.integrations.models.extractive.sentences import sentences
from engine.integrations.models.extractive.spans import Found, nearest
from engine.integrations.models.extractive.text import plain, words_of_name

MISSING: Any = object()
MAX_DEPTH = 8
DEFAULT_ITEMS = 3
MAX_OBJECTS = 10
CHOICE_CHARS = 2000
"""How much of the text decides about a label."""

_SAYS_NOTHING = re.compile(r"^(?:final_)?(?:answer|reply|response|passage|result|output)$")
"""Names of which only the task says what they are for."""

Schema = Mapping[str, Any]


class Filler:
    """Fills `schema` from `reading`. Texts longer than `max_text` characters are cut."""

    def __init__(self, reading: Reading, schema: Schema, *, max_text: int = 2000) -> None:
        self._reading = reading
        self._root = schema
        self._max_text = max_text
        self._task = ranking.task_of(reading.instruction)

    def answer(self) -> Any:
        """Return the filled value of the whole schema."""
        return self._required(self._root, "", self._reading.text, 0)

    def _required(self, schema: Schema, name: str, text: str, depth: int) -> Any:
        value = self._fill(schema, name, text, depth)
        return self._empty(self._plain_schema(schema)) if value is MISSING else value

    def _fill(self, raw: Schema, name: str, text: str, depth: int) -> Any:
        schema = self._plain_schema(raw)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._choose(schema, name, text)
        if depth >= MAX_DEPTH:
            return MISSING
        kind = _type_of(schema)
        if kind == "object":
            return self._object(schema, text, depth)
        if kind == "array":
            return self._array(schema, name, text, depth)
        if kind == "boolean":
            return labels.holds(claim_of(name, schema), text)
        if kind in ("number", "integer"):
            return self._number(schema, name, text, whole=kind == "integer")
        if kind == "string":
            return self._string(schema, name, text)
        return MISSING

    def _plain_schema(self, schema: Schema) -> Schema:
        """Return `schema` with references, `allOf` and alternatives to null resolved."""
        for _ in range(MAX_DEPTH):
            reference = schema.get("$ref")
            if isinstance(reference, str):
                schema = {**_resolve(self._root, reference), **_without(schema, "$ref")}
                continue
            key = next((k for k in ("anyOf", "oneOf") if k in schema), None)
            if key is not None and _all_constants(schema[key]):
                values = [option["const"] for option in schema[key]]
                return {**_without(schema, key), "enum": values, "x-options": schema[key]}
            if key is not None:
                options = schema[key]
                real = [o for o in options if o.get("type") != "null"]
                null = {"nullable": True} if len(real) < len(options) else {}
                schema = {**_without(schema, key), **(real or options)[0], **null}
                continue
            if "allOf" in schema:
                merged = _without(schema, "allOf")
                for part in schema["allOf"]:
                    merged.update(part)
                schema = merged
                continue
            break
        return schema

    def _choose(self, schema: Schema, name: str, text: str) -> Any:
        values = [value for value in schema["enum"] if value is not None]
        if not values:
            return None
        told = {
            str(o.get("const")): str(o.get("description", o.get("title", "")))
            for o in schema.get("x-options", ())
        }
        context = f"{self._reading.instruction}\n{schema.get('description', '')}"
        options = [
            labels.make_label(
                value,
                told.get(str(value), "")
                or labels.explain(str(value), context, self._reading.notes),
            )
            for value in values
        ]
        return labels.choose(text[:CHOICE_CHARS], options)

    def _object(self, schema: Schema, text: str, depth: int) -> dict[str, Any]:
        properties: dict[str, Schema] = schema.get("properties", {})
        required = set(schema.get("required", ()))
        out: dict[str, Any] = {}
        order = sorted(properties, key=lambda key: key == "_next_node")
        for key in order:
            seen = text
            if key == "_next_node":
                chosen = [str(value) for value in out.values() if isinstance(value, str | bool)]
                seen = "\n".join([text[: CHOICE_CHARS // 2], *chosen])
            value = self._fill(properties[key], key, seen, depth + 1)
            if value is MISSING and key in required:
                value = self._empty(self._plain_schema(properties[key]))
            if value is not MISSING:
                out[key] = value
        return {key: out[key] for key in properties if key in out}

    def _array(self, schema: Schema, name: str, text: str, depth: int) -> list[Any]:
        items = self._plain_schema(schema.get("items") or {"type": "string"})
        most = int(schema.get("maxItems", MAX_OBJECTS))
        found = self._items(items, name, text, depth, most)
        least = int(schema.get("minItems", 0))
        while len(found) < min(least, MAX_OBJECTS):
            found.append(self._empty(items))
        return found[:most]

    def _items(self, items: Schema, name: str, text: str, depth: int, most: int) -> list[Any]:
        kind = _type_of(items)
        claim = claim_of(name, items)
        if "enum" in items:
            parts = [self._choose(items, name, part) for part in sentences(text)[:MAX_OBJECTS]]
            return [value for value in items["enum"] if value in parts]
        if kind == "object":
            parts = [s for s in sentences(text) if not s.endswith("?")] or sentences(text)
            return [self._object(items, part, depth + 1) for part in parts[:most]]
        if kind in ("number", "integer"):
            values = [
                self._fits(f, items, whole=kind == "integer") for f in numbers_for(claim, text)
            ]
            return [value for value in values if value is not MISSING]
        finder = finder_for(name, items)
        if finder is not None:
            return _distinct([found.value for found in finder(text)])
        wanted = self._wanted(name, items)
        return [self._cut(s, items) for s in ranking.best(text, wanted, min(most, DEFAULT_ITEMS))]

    def _number(self, schema: Schema, name: str, text: str, *, whole: bool) -> Any:
        claim = claim_of(name, schema)
        found = [
            f for f in numbers_for(claim, text) if self._fits(f, schema, whole=whole) is not MISSING
        ]
        is_score = SCORE_WORDS.search(plain(claim)) is not None
        if is_score:
            found = [f for f in found if f is nearest(found, text, words_of_name(name))]
            found = [f for f in found if _named_before(f, text, name)]
        best = nearest(found, text, claim, must_be_near=True)
        if best is not None:
            return self._fits(best, schema, whole=whole)
        return self._score(schema, text, whole=whole) if is_score else MISSING

    def _score(self, schema: Schema, text: str, *, whole: bool) -> float | int:
        low = float(schema.get("minimum", 0))
        high = float(schema.get("maximum", 1 if not whole else 100))
        aim = self._reading.goal or self._task
        value = low + (high - low) * ranking.similarity(text[:CHOICE_CHARS], aim)
        return round(value) if whole else round(value, 3)

    def _fits(self, found: Found, schema: Schema, *, whole: bool) -> Any:
        value = found.value
        assert isinstance(value, float)
        if whole and not value.is_integer():
            return MISSING
        if not (schema.get("minimum", value) <= value <= schema.get("maximum", value)):
            return MISSING
        return int(value) if value.is_integer() and (whole or abs(value) < 2**53) else value

    def _string(self, schema: Schema, name: str, text: str) -> Any:
        finder = finder_for(name, schema)
        if finder is not None:
            all_found = finder(text)
            if SEVERAL.search(plain(words_of_name(name))) and all_found:
                return self._cut(", ".join(_distinct([str(f.value) for f in all_found])), schema)
            found = nearest(all_found, text, claim_of(name, schema))
            return MISSING if found is None else self._cut(str(found.value), schema)
        quoted = ranking.best(text, self._wanted(name, schema))
        return self._cut(quoted[0], schema) if quoted else MISSING

    def _wanted(self, name: str, schema: Schema) -> str:
        if self._task and _SAYS_NOTHING.match(name):
            return self._task[:800]
        return f"{claim_of(name, schema)}. {self._task}".strip()[:800]

    def _cut(self, value: str, schema: Schema) -> str:
        most = min(int(schema.get("maxLength", self._max_text)), self._max_text)
        return value if len(value) <= most else value[:most].rsplit(" ", 1)[0][:most]

    def _empty(self, schema: Schema) -> Any:
        types = schema.get("type")
        if (
            schema.get("nullable")
            or types == "null"
            or (isinstance(types, list) and "null" in types)
        ):
            return None
        if "default" in schema:
            return schema["default"]
        if "enum" in schema:
            return schema["enum"][0]
        kind = _type_of(schema)
        if kind in ("number", "integer"):
            return min(max(0, schema.get("minimum", 0)), schema.get("maximum", 0) or 0) or max(
                0, schema.get("minimum", 0)
            )
        if kind == "object":
            return self._object(schema, "", MAX_DEPTH - 1)
        empty: dict[str, Any] = {"boolean": False, "array": [], "string": ""}
        return empty.get(kind)


def _type_of(schema: Schema) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((k for k in kind if k != "null"), "null")
    if kind is None:
        kind = "object" if "properties" in schema else "array" if "items" in schema else "string"
    return str(kind)


def _resolve(root: Schema, reference: str) -> dict[str, Any]:
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = found.get(part, {}) if isinstance(found, Mapping) else {}
    return dict(found)


def _without(schema: Schema, key: str) -> dict[str, Any]:
    return {k: v for k, v in schema.items() if k != key}


def _all_constants(options: list[Schema]) -> bool:
    return bool(options) and all("const" in option for option in options)


def _named_before(found: Found, text: str, name: str) -> bool:
    before = plain(text[max(0, found.start - 25) : found.start])
    return any(word in before for word in words_of_name(name).split())


def _distinct(values: list[Any]) -> list[Any]:
    return list(dict.fromkeys(values))
