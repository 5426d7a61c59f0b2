"""Applies the change that a model describes to a draft: by id, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from builder.services.graphs.drafts import with_edge_ids

SETTABLE: Final = frozenset(
    {"goal", "constraints", "state_schema", "initial_memory", "defaults", "limits", "interface"}
)
EDITS: Final = frozenset(
    {f"{verb}_{kind}" for verb in ("set", "delete") for kind in ("nodes", "edges", "agents")}
) | {"set_graph"}


class Unusable(Exception):
    """An answer that is no draft; the text says what would be right, to the model."""


def changed_document(base: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with the edits of an answer. Raises `Unusable`."""
    strangers = sorted(said.keys() - EDITS - {"summary", "cannot"})
    if strangers:
        raise Unusable(f'there is no "{strangers[0][:80]}" in an answer')
    if not base or not said.keys() & EDITS:
        change = ' nor a change such as "set_nodes"' if base else ", which a new workflow is"
        raise Unusable(f'the answer has no "document"{change}')
    made = {**base, **_settings(said.get("set_graph") or {})}
    for kind in ("nodes", "edges", "agents"):
        made[kind] = _edited(kind, base.get(kind, ()), said)
    gone = {str(node["id"]) for node in base.get("nodes", ())} - {
        str(node.get("id")) for node in made["nodes"]
    }
    loose = (edge for edge in made["edges"] if not {edge.get("source"), edge.get("target")} & gone)
    return {**made, "edges": with_edge_ids(loose)}


def _settings(given: object) -> dict[str, Any]:
    if not isinstance(given, dict) or not given.keys() <= SETTABLE:
        raise Unusable(f'"set_graph" is an object of {", ".join(sorted(SETTABLE))}')
    return dict(given)


def _edited(kind: str, had: Any, said: Mapping[str, Any]) -> list[dict[str, Any]]:
    given = said.get(f"set_{kind}") or []
    gone = said.get(f"delete_{kind}") or []
    if not isinstance(given, list) or not all(_is_part(kind, part) for part in given):
        raise Unusable(f'"set_{kind}" is a list of objects, each with its id')
    if not isinstance(gone, list) or not all(isinstance(each, str) for each in gone):
        raise Unusable(f'"delete_{kind}" is a list of ids')
    parts = {str(part["id"]): dict(part) for part in had if part["id"] not in gone}
    fresh = 0
    for part in given:
        fresh += "id" not in part
        key = str(part.get("id") or f" new {fresh}")
        parts[key] = _merged(parts[key], part) if key in parts else dict(part)
    return list(parts.values())


def _is_part(kind: str, part: object) -> bool:
    if not isinstance(part, dict):
        return False
    return isinstance(part.get("id"), str) or (kind == "edges" and "id" not in part)


def _merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part with the fields that are given, in its config too; null takes one away."""
    both = {**old, **new}
    if isinstance(old.get("config"), Mapping) and isinstance(new.get("config"), Mapping):
        config = {**old["config"], **new["config"]}
        both["config"] = {name: value for name, value in config.items() if value is not None}
    return {name: value for name, value in both.items() if value is not None}
