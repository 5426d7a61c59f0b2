"""JSON Schema validation of frozen values, with the first problem as a sentence."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import jsonschema_rs

from engine.values import digest, thaw

CACHED = 512
NOT_BLANK = ' does not match "\\S"'
"""How the library ends its complaint about text that should have a visible character."""

_cache: OrderedDict[str, Validator] = OrderedDict()


def _refuse(uri: str) -> Any:
    """Refuse a `$ref` to another document: schemas never make the engine fetch anything."""
    raise ValueError(f"$ref to another document is not allowed: {uri}")


class Validator:
    """A compiled JSON Schema."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._validator = jsonschema_rs.validator_for(thaw(dict(schema)), retriever=_refuse)

    def problem(self, value: Any) -> str | None:
        """Return where and why `value` does not fit, None if it does."""
        plain = thaw(value)  # the library takes plain lists and dicts only
        if self._validator.is_valid(plain):
            return None
        error = next(iter(self._validator.iter_errors(plain)))
        place = ".".join(str(part) for part in error.instance_path)
        message = str(error.message)
        if message.endswith(NOT_BLANK):
            message = "must not be blank"
        return f"{place}: {message}" if place else message


def validator(schema: Mapping[str, Any]) -> Validator:
    """Return the schema compiled, cached by its content. Raises ValueError if it is no schema."""
    key = digest(schema)
    found = _cache.get(key)
    if found is None:
        found = _cache[key] = Validator(schema)
        if len(_cache) > CACHED:
            _cache.popitem(last=False)
    return found


def schema_problem(schema: Mapping[str, Any], value: Any) -> str | None:
    """Return where and why `value` breaks `schema`, None if it fits."""
    return validator(schema).problem(value)
