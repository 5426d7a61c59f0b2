"""JSON Schema validation of frozen values, with the first problem as a sentence.

A schema is refused that could take more than a quarter of a second: see `engine.core.values.schema_cost`.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

import jsonschema_rs

from engine.core.values.json import digest, thaw
from engine.core.values.schema_cost import MAX_EXPANDED, MAX_STEPS, SchemaCost

CACHED = 512
NOT_BLANK = ' does not match "\\S"'
"""How the library ends its complaint about text that should have a visible character."""

TOLD: Final = 80
"""Characters of a text that are told of it."""
FORMATS: Final[Mapping[str, str]] = {
    "date": "a date such as 2026-12-01",
    "date-time": "a moment such as 2026-12-01T09:30:00Z",
    "time": "a time such as 09:30:00Z",
    "email": "a mail address such as ann@example.org",
    "uri": "a web address such as https://example.org/page",
}
"""What people are told of a format that their text does not have."""

_cache: OrderedDict[str, Validator] = OrderedDict()


def _refuse(uri: str) -> Any:
    """Refuse a `$ref` to another document: schemas never make the engine fetch anything."""
    raise ValueError(f"$ref to another document is not allowed: {uri}")


class Validator:
    """A compiled JSON Schema; `formats`: text is held against its `format` too."""

    def __init__(self, schema: Mapping[str, Any], *, formats: bool = False) -> None:
        self._cost = SchemaCost(schema)
        self._validator = jsonschema_rs.validator_for(
            thaw(dict(schema)), retriever=_refuse, validate_formats=formats
        )

    def problem(self, value: object) -> str | None:
        """Return where and why `value` does not fit, None if it does."""
        plain = thaw(value)  # the library takes plain lists and dicts only
        steps = self._cost.steps(plain)
        if steps > MAX_STEPS:
            return "is nested too deeply to be held against a schema that branches at each level"
        if self._validator.is_valid(plain):
            return None
        if steps > MAX_EXPANDED:
            return "does not fit the schema"
        return self._first(plain)

    def _first(self, plain: object) -> str | None:
        try:
            self._validator.validate(plain)
        except jsonschema_rs.ValidationError as error:
            return self._told(error)
        return None

    def _told(self, error: jsonschema_rs.ValidationError) -> str:
        place = ".".join(str(part) for part in error.instance_path)
        message = str(error.message)
        if message.endswith(NOT_BLANK):
            message = "must not be blank"
        wanted = FORMATS.get(getattr(error.kind, "format", ""))
        if wanted is not None:
            text = str(error.instance)
            told = text if len(text) <= TOLD else f"{text[:TOLD]}…"
            message = f"{json.dumps(told, ensure_ascii=False)} is not {wanted}"
        return f"{place}: {message}" if place else message


def validator(schema: Mapping[str, Any], *, formats: bool = False) -> Validator:
    """Return the schema compiled, cached by its content. Raises ValueError if it is no schema."""
    key = f"{digest(schema)} {formats}"
    found = _cache.get(key)
    if found is None:
        found = _cache[key] = Validator(schema, formats=formats)
        if len(_cache) > CACHED:
            _cache.popitem(last=False)
    return found


def schema_problem(
    schema: Mapping[str, Any], value: object, *, formats: bool = False
) -> str | None:
    """Return where and why `value` breaks `schema`, None if it fits."""
    return validator(schema, formats=formats).problem(value)
