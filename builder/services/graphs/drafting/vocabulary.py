"""What a workflow may be made of, in words for a model: from the registry, so that it is never a second list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from pydantic import BaseModel

from engine.core.graph.document import AgentSpec, EdgeSpec, GraphSpec, NodeSpec
from engine.core.node_types.catalog import describe
from engine.core.node_types.node_type import NodeType
from engine.core.node_types.registry import NODE_TYPES

DEEPEST: Final = 3
"""Levels of a config that are spelled out."""
PARTS: Final[Mapping[str, type[BaseModel]]] = {
    "document": GraphSpec,
    "node": NodeSpec,
    "edge": EdgeSpec,
    "agent": AgentSpec,
}


@lru_cache(maxsize=1)
def vocabulary() -> str:
    """Return the parts of a document and every installed node type with its settings."""
    return "\n".join((*_parts(), *types_in_words(NODE_TYPES.all())))


def types_in_words(types: Iterable[NodeType]) -> Iterator[str]:
    """Yield a few lines for each node type; that all leave by `on: failed` is said of edges."""
    for told in map(describe, types):
        yield f"\n### {told['type']}: {told['help']}"
        if told["effect_class"] not in ("pure", "read", "llm"):
            yield "It may change something outside: where it does, put an approval before it."
        yield f"Settings: {shape(told['config_schema'])}"
        ways = [
            way
            for way in told["handles"]
            if way["kind"] not in ("completed", "failed") or way["when"]
        ]
        if ways:
            named = (f"{way['label'] or way['id']} ({_leaves_by(way)})" for way in ways)
            yield f"Leaves by: {', '.join(named)}"


def shape(schema: Mapping[str, Any], depth: int = 0) -> str:
    """Return a schema in a line: names, kinds, defaults and what is said of them; `!` is required."""
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            kinds = [each for each in schema[choice] if each.get("type") != "null"]
            return " | ".join(dict.fromkeys(shape(each, depth) for each in kinds))
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if "const" in schema:
        return f'"{schema["const"]}"'
    if schema.get("type") == "array":
        return f"[{shape(schema.get('items', {}), depth + 1)}]"
    fields = schema.get("properties")
    if not fields or depth >= DEEPEST:
        return str(schema.get("type", "any"))
    required = schema.get("required", ())
    inner = (_field(name, each, name in required, depth) for name, each in fields.items())
    return "{" + "; ".join(inner) + "}"


def _field(name: str, schema: Mapping[str, Any], required: bool, depth: int) -> str:
    about = schema.get("description", "")
    default = schema.get("default")
    told = f"{name}{'!' if required else ''}: {shape(schema, depth + 1)}"
    if default not in (None, "", [], {}):
        told += f" = {default}" if not isinstance(default, dict) else ""
    return f"{told} ({about.rstrip('.')})" if about else told


def _leaves_by(way: Mapping[str, Any]) -> str:
    return f'when: "{way["when"]}"' if way["when"] else f"on: {way['kind']}"


def _parts() -> Iterator[str]:
    for name, model in PARTS.items():
        schema = model.model_json_schema()
        known = schema.get("$defs", {})
        yield f"{name}: {shape(_resolved(schema, known, 0))}"


def _resolved(value: Any, known: Mapping[str, Any], depth: int) -> Any:
    """Return a schema with what it refers to, lists of whole parts left out: those are told apart."""
    if isinstance(value, list):
        return [_resolved(each, known, depth) for each in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        name = value["$ref"].rsplit("/", 1)[-1]
        whole = name in {part.__name__ for part in PARTS.values()}
        return {"type": name} if whole or depth > 8 else _resolved(known[name], known, depth + 1)
    return {key: _resolved(each, known, depth + 1) for key, each in value.items() if key != "$defs"}
