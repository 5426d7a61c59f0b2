"""Small graphs for the checks: a document in, the codes found out."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from engine.check import StaticWorld, check
from engine.core.effects import EffectClass
from engine.core.graph.document import AgentSpec, GraphSpec, parse_document
from engine.core.graph.problems import Problem
from engine.core.node_types.context import NodeContext
from engine.core.node_types.node_type import COMPLETED, NodeConfig, NodeType
from engine.core.node_types.registry import NODE_TYPES, NodeTypes
from engine.integrations.tools.protocol import ToolSpec

TOOLS = {
    "search": ToolSpec("search", "Look.", {}, EffectClass.READ, "web"),
    "send": ToolSpec("send", "Send.", {}, EffectClass.UNSAFE, "mail"),
}
ADVICE = {"NoHumanDescription", "WildcardRead", "WildcardWrite"}


def spec(document: dict[str, Any]) -> GraphSpec:
    """Return a graph, filled up to what every document needs."""
    found, problems = parse_document({"id": "g", **document})
    assert found is not None, problems
    return found


def world(**given: Any) -> StaticWorld:
    """Return a world with two tools, one agent and the handler `go`."""
    known: dict[str, Any] = {
        "tools": TOOLS,
        "agents": {"helper": AgentSpec(id="helper")},
        "handlers": {"go"},
    }
    return StaticWorld(**{**known, **given})


def problems(document: dict[str, Any], **given: Any) -> list[Problem]:
    """Return everything the checks find."""
    return check(spec(document), world(**given))


def found(document: dict[str, Any], **given: Any) -> set[tuple[str, str]]:
    """Return code and path of what the checks find, without general advice."""
    return {(p.code, p.path) for p in problems(document, **given) if p.code not in ADVICE}


def codes(document: dict[str, Any], **given: Any) -> set[str]:
    """Return the codes that the checks find, without general advice."""
    return {code for code, _path in found(document, **given)}


def node(name: str, type_: str = "function", /, **fields: Any) -> dict[str, Any]:
    """Return a node that is right by itself; `config` is added to what the type needs."""
    needed: dict[str, dict[str, Any]] = {
        "function": {"handler": "go"},
        "agent": {"agent_id": "helper"},
        "delay": {"duration_ms": 1},
        "tool": {"tool_id": "search"},
        "http_request": {"url": "https://example.com/"},
        "question": {"question": "?"},
    }
    config = {**needed.get(type_, {}), **fields.pop("config", {})}
    return {"id": name, "type": type_, "config": config, **fields}


def edge(source: str, target: str, **fields: Any) -> dict[str, Any]:
    """Return an edge."""
    return {"source": source, "target": target, **fields}


def line(*nodes: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a document whose nodes follow one another."""
    names = [item["id"] for item in nodes]
    edges = [edge("__start__", names[0])]
    edges += [edge(a, b) for a, b in pairwise(names)]
    return {"nodes": list(nodes), "edges": edges, **fields}


async def do_nothing(self: NodeType, ctx: NodeContext, config: NodeConfig) -> None:
    """Run a node that is only checked."""


def types_with(*configs: tuple[str, type[NodeConfig]]) -> NodeTypes:
    """Return the built-in node types and one more for each name and config."""
    registry = NodeTypes()
    for entry in NODE_TYPES.all():
        registry.register(type(entry))
    for name, config in configs:
        attributes = {
            "__doc__": "T.",
            "type": name,
            "label": name,
            "Config": config,
            "run": do_nothing,
        }
        registry.register(type(name, (NodeType,), {**attributes, "handles": (COMPLETED,)}))
    return registry
