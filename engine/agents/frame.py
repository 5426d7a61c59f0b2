"""The built-in instruction around an author's prompt: one versioned frame for every agent node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from engine.core.values.json import JsonObject, digest

FRAME_VERSION = "2"

_RULES = (
    "You do the work of one node in a workflow. Do the task below and answer with its result only. "
    "The workflow itself decides what happens next."
)


def standard_frame(
    *,
    graph_name: str,
    graph_description: str,
    node_id: str,
    prompt: str,
    write_keys: Sequence[str],
    state: Mapping[str, Any],
    targets: Sequence[tuple[str, str]],
    schema: JsonObject | None,
    asking: str = "",
) -> str:
    """Return the user message of an agent node with `frame: standard` (row V4).

    `asking` is the section of an agent that must or may ask a person (row I3).
    """
    about = f"Workflow: {graph_name}" + (f" - {graph_description}" if graph_description else "")
    parts = [_RULES, f"{about}\nNode: {node_id}", f"## Task\n{prompt}"]
    if state:
        text = orjson.dumps(state, option=orjson.OPT_INDENT_2).decode()
        parts.append(f"## State\n```json\n{text}\n```")
    if write_keys:
        parts.append("## Keys you may write\n" + ", ".join(write_keys))
    if targets:
        lines = [f"- {target}: {label}" if label else f"- {target}" for target, label in targets]
        parts.append("## Where the work can go next\n" + "\n".join(lines))
    if schema is not None:
        parts.append("## Answer\n" + describe_schema(schema))
    if asking:
        parts.append(asking)
    return "\n\n".join(parts)


FRAME_HASH = digest([FRAME_VERSION, _RULES, standard_frame.__code__.co_code.hex()])[:16]


def describe_schema(schema: JsonObject) -> str:
    """Return a readable description of an answer's schema, one line a field."""
    properties: Any = schema.get("properties") or {}
    required: Any = schema.get("required") or ()
    lines = ["One JSON object with these fields and no others:"]
    for name, field in properties.items():
        need = "required" if name in required else "optional"
        lines.append(f"- {name} ({_kind(field)}, {need}){_about(field)}")
    return "\n".join(lines)


def _kind(field: object) -> str:
    if not isinstance(field, Mapping):
        return "any"
    if "enum" in field:
        return "one of: " + ", ".join(orjson.dumps(value).decode() for value in field["enum"])
    kind = field.get("type", "any")
    if kind == "array":
        return f"list of {_kind(field.get('items', {}))}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _about(field: object) -> str:
    text = field.get("description") if isinstance(field, Mapping) else None
    return f": {text}" if text else ""
