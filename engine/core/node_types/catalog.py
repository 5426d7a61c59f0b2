"""Node types as the editor sees them: words, handles, and the config's form as JSON Schema."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from engine.core.node_types.form import WIDGETS
from engine.core.node_types.node_type import ANY_BRANCH, Handle, NodeConfig, NodeType
from engine.core.values.json import Json, thaw

_SCALARS: Final = frozenset({"string", "integer", "number", "boolean", "null"})
_FREE_FORM: Final = frozenset({"json", "template"})
"""Widgets that edit any JSON value."""


class UnsupportedSchema(ValueError):
    """A config's schema is outside what the editor's form can draw; says where and what."""


def describe(node_type: NodeType) -> dict[str, Any]:
    """Return the entry of `/api/node-types/`. Raises `UnsupportedSchema`."""
    return {
        "type": node_type.type,
        "label": node_type.label,
        "icon": node_type.icon,
        "category": node_type.category,
        "words": list(node_type.words),
        "help": inspect.getdoc(type(node_type)) or "",
        "effect_class": node_type.effect_class.value,
        "config_schema": config_schema(node_type),
        "defaults": {
            "read_keys": list(node_type.defaults.read_keys),
            "write_keys": list(node_type.defaults.write_keys),
            "config": thaw(dict(node_type.defaults.config)),
        },
        "handles": [_handle(handle) for handle in node_type.handles],
        "result_keys": list(node_type.result_keys),
        "prompts": node_type.prompts,
        "writes_data": node_type.writes_data,
        "views": [{"kind": view.kind, "title": view.title} for view in node_type.views],
    }


def _handle(handle: Handle) -> Json:
    kind = "dynamic" if handle.when == ANY_BRANCH else handle.on
    when = None if handle.when == ANY_BRANCH else handle.when
    return {"id": handle.id, "label": handle.label, "kind": kind, "when": when}


def config_schema(node_type: NodeType | type[NodeType]) -> dict[str, Any]:
    """Return the config's JSON Schema without references. Raises `UnsupportedSchema`.

    It is shared by all who ask for it: read it only.
    """
    return _schema_of(node_type.Config)


@lru_cache(maxsize=512)
def _schema_of(model: type[NodeConfig]) -> dict[str, Any]:
    raw = model.model_json_schema(by_alias=True)
    schema: dict[str, Any] = _inlined(raw, raw.get("$defs", {}), ())
    _retitle(schema)
    for problem in unsupported(schema):
        raise UnsupportedSchema(problem)
    return schema


def _inlined(value: object, definitions: Mapping[str, Any], trail: tuple[str, ...]) -> Any:
    if isinstance(value, list):
        return [_inlined(item, definitions, trail) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" not in value:
        return {
            name: _inlined(item, definitions, trail)
            for name, item in value.items()
            if name not in ("$defs", "discriminator")
        }
    name = value["$ref"].rsplit("/", 1)[-1]
    if name in trail:
        raise UnsupportedSchema(f"{name} contains itself: a form cannot be endless")
    own = {key: item for key, item in value.items() if key != "$ref"}
    return {**_inlined(definitions[name], definitions, (*trail, name)), **own}


def _retitle(schema: dict[str, Any]) -> None:
    """Give fields without a title of their own a readable one: `timeout_ms` → `Timeout`."""
    for name, inner in schema.get("properties", {}).items():
        if inner.get("title") == name.replace("_", " ").title():
            words = name.rstrip("_").removesuffix("_ms").removesuffix("_id").replace("_", " ")
            inner["title"] = words.capitalize()
    for inner in _inner_schemas(schema):
        _retitle(inner)


def _inner_schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from schema.get("properties", {}).values()
    yield from schema.get("anyOf", ())
    yield from schema.get("oneOf", ())
    if isinstance(schema.get("items"), dict):
        yield schema["items"]


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
