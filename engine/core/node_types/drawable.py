"""What the editor's form can draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.core.node_types.form import WIDGETS

_SCALARS: Final = frozenset({"string", "integer", "number", "boolean", "null"})
_FREE_FORM: Final = frozenset({"json", "template"})
"""Widgets that edit any JSON value."""


def unsupported(schema: Mapping[str, Any], path: str = "config") -> Iterator[str]:
    """Yield what the form cannot draw: place and reason.

    Drawn are objects, maps, arrays, text, numbers, booleans, enumerations, anything nullable,
    unions of objects told apart by a constant `type`, unions whose members have different JSON
    types, and any value under the widgets `json` and `template`.
    """
    widget = schema.get("x-widget")
    if widget is not None and widget not in WIDGETS:
        yield f"{path}: there is no widget {widget!r}; known are {sorted(WIDGETS)}"
    if widget in _FREE_FORM or "enum" in schema or "const" in schema:
        return
    options = schema.get("anyOf") or schema.get("oneOf")
    if options is not None:
        yield from _unsupported_union(options, path)
    elif schema.get("type") == "object":
        yield from _unsupported_object(schema, path)
    elif schema.get("type") == "array":
        yield from _unsupported_array(schema, path)
    elif schema.get("type") not in _SCALARS:
        yield f"{path}: no form for {sorted(schema)}; give it a type or the widget `json`"


def _unsupported_object(schema: Mapping[str, Any], path: str) -> Iterator[str]:
    for name, inner in schema.get("properties", {}).items():
        yield from unsupported(inner, f"{path}.{name}")
    rest = schema.get("additionalProperties", "properties" not in schema)
    if rest is True:
        yield f"{path}: a free object needs the widget `json` or `template`"
    elif isinstance(rest, Mapping):
        yield from unsupported(rest, f"{path}.*")


def _unsupported_array(schema: Mapping[str, Any], path: str) -> Iterator[str]:
    if "prefixItems" in schema or "items" not in schema:
        yield f"{path}: an array needs one schema for all its items"
    else:
        yield from unsupported(schema["items"], f"{path}[]")


def _unsupported_union(options: list[Mapping[str, Any]], path: str) -> Iterator[str]:
    members = [option for option in options if option.get("type") != "null"]
    for member in members:
        yield from unsupported(member, path)
    kinds = [member.get("type", "enum") for member in members]
    if len(set(kinds)) == len(kinds):
        return
    tags = [member.get("properties", {}).get("type", {}).get("const") for member in members]
    if None in tags or len(set(tags)) < len(tags):
        yield f"{path}: members of a union need a constant `type` each, or different JSON types"
