"""Node types as the editor sees them: words, handles, and the config's form as JSON Schema."""

from __future__ import annotations

import inspect
from typing import Any

from engine.core.node_types.config_schema import config_schema
from engine.core.node_types.node_type import ANY_BRANCH, Handle, NodeType
from engine.core.values.json import Json, thaw


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
        "asks_people": node_type.asks_people,
        "views": [{"kind": view.kind, "title": view.title} for view in node_type.views],
    }


def _handle(handle: Handle) -> Json:
    kind = "dynamic" if handle.when == ANY_BRANCH else handle.on
    when = None if handle.when == ANY_BRANCH else handle.when
    return {"id": handle.id, "label": handle.label, "kind": kind, "when": when}
