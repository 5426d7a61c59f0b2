"""A config's JSON Schema as the editor's form takes it: without references, with readable titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from engine.core.node_types.drawable import unsupported
from engine.core.node_types.node_type import NodeConfig, NodeType


class UnsupportedSchema(ValueError):
    """A config's schema is outside what the editor's form can draw; says where and what."""


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
