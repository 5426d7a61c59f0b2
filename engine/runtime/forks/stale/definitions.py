"""What defines how a node runs, as hashes: its own settings, its agents, its wires in, its pin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from engine.core.graph.document import NodeSpec
from engine.core.state.program import Program
from engine.core.values.json import digest

Definition: TypeAlias = Mapping[str, str]
"""Hashes by part: `node`, `agent`, `wires`, `pin`."""
Agents: TypeAlias = Mapping[str, Any]
"""Definitions of agents by id."""

_AGENT = "agent_id"
"""What fields that name an agent end with."""


def changed_parts(was: Definition | None, now: Definition) -> tuple[str, ...]:
    """Return what differs between two definitions; `new` where there was none."""
    if was is None:
        return ("new",)
    if was["pin"] != now["pin"]:
        return ("pin",)
    return tuple(part for part in now if was[part] != now[part])


def definition(
    program: Program, node: NodeSpec, agents: Agents, pins: Mapping[str, Any]
) -> Definition:
    """Return the hashes of a node. Of a pinned one nothing runs: pin and wires alone count.

    Names that people read (label, description) and its place on the canvas are no part of it.
    """
    wires = digest([node.join, sorted(_wires_in(program, node.id))])
    if node.id in pins:
        return {"node": "", "agent": "", "wires": wires, "pin": digest(pins[node.id])}
    return {
        "node": digest(_settings(program, node)),
        "agent": digest([agents.get(name, name) for name in agents_named(node)]),
        "wires": wires,
        "pin": "",
    }


def _settings(program: Program, node: NodeSpec) -> dict[str, Any]:
    spec = program.spec
    writes = spec.write_keys_of(node)
    plain = node.model_dump(
        mode="json", include={"type", "failure_policy", "memory_query", "requires_compensation"}
    )
    budget = None if node.budget is None else node.budget.model_dump(mode="json")
    return {
        **plain,
        "budget": _nameless(budget),
        "config": _nameless(node.config),
        "disabled": node.disabled,
        "reads": list(spec.read_keys_of(node)),
        "writes": list(writes),
        "merge": spec.merge_of(node),
        "schema": [[program.reducers.get(key), program.property_schema(key)] for key in writes],
        "offered": [[e.target, e.label] for e in spec.edges_from(node.id) if e.trigger == "agent"],
    }


def _wires_in(program: Program, node_id: str) -> list[list[str]]:
    edges = (edge for edge in program.graph.edges if edge is not None)
    return [
        [edge.source_id, edge.on, edge.when or "", edge.condition or "", str(edge.agent)]
        for edge in edges
        if edge.target_id == node_id
    ]


def agents_named(node: NodeSpec) -> list[str]:
    """Return the ids of the agents that a node names, in the order of its settings."""
    fallback = None if node.budget is None else node.budget.fallback_agent_id
    return [*_found(node.config), *([fallback] if fallback else [])]


def _found(value: Any) -> list[str]:
    if isinstance(value, list):
        return [name for item in value for name in _found(item)]
    if not isinstance(value, Mapping):
        return []
    here = [value[key] for key in sorted(value) if key.endswith(_AGENT)]
    below = [name for key in sorted(value) for name in _found(value[key])]
    return [name for name in here if isinstance(name, str)] + below


def _nameless(value: Any) -> Any:
    """Return settings without the ids of agents: what an agent says counts, not how it is called."""
    if isinstance(value, list):
        return [_nameless(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    return {key: _nameless(item) for key, item in value.items() if not key.endswith(_AGENT)}
