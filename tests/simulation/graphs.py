"""The graphs of the simulation, and how they are drawn."""

from __future__ import annotations

from typing import Any

from engine.core.graph.document import GraphSpec, parse_document

FAST = {
    "max_retries": 3,
    "backoff_strategy": "exponential",
    "initial_backoff_ms": 200,
    "max_backoff_ms": 5_000,
    "timeout_ms": 60_000,
}


def agent(name: str, **fields: Any) -> dict[str, Any]:
    """Return an agent node that says in whose name it asks."""
    return {
        "id": name,
        "type": "agent",
        "read_keys": ["context"],
        "config": {
            "agent_id": "buyer",
            "prompt": "{{ context.run_id }}/" + name,
            "frame": "bare",
            **fields.pop("config", {}),
        },
        **fields,
    }


def node(name: str, kind: str, **fields: Any) -> dict[str, Any]:
    """Return a node."""
    return {"id": name, "type": kind, **fields}


def graph(
    name: str, nodes: list[dict[str, Any]], *edges: str | tuple[str, dict[str, Any]], **fields: Any
) -> GraphSpec:
    """Return a document. Edges are written `a > b`, or as (`a > b`, fields)."""
    drawn = []
    for edge in edges:
        line, more = (edge, {}) if isinstance(edge, str) else edge
        source, target = line.split(" > ")
        drawn.append({"source": source, "target": target, **more})
    for drawn_node in nodes:
        drawn_node.setdefault("failure_policy", FAST)
    document = {
        "id": name,
        "agents": [{"id": "buyer", "tools": ["charge"], "max_output_tokens": 40}],
        "nodes": nodes,
        "edges": drawn,
        **fields,
    }
    spec, problems = parse_document(document)
    assert spec is not None, problems
    return spec


TWO_PEOPLE = {
    "rule": {"at_least": 2},
    "reminders": [10_000, 30_000],
    "escalation": {"after_ms": 60_000, "to": ["role:admin"]},
}

ORDERS = graph(
    "orders",
    [
        node("prep", "sim_pure", write_keys=["*"]),
        agent("buy"),
        node("look", "sim_look"),
        node("fan", "sim_fan"),
        node("worker", "sim_worker"),
        node("merge", "sim_pure", write_keys=["*"]),
        node(
            "ok",
            "approval",
            config={
                "review_keys": ["merge_ran"],
                "timeout_ms": 120_000,
                "rejection_node_id": "declined",
                "policy": TWO_PEOPLE,
            },
        ),
        node(
            "mail",
            "tool",
            read_keys=["context"],
            config={"tool_id": "mail", "arguments": {"order": "{{ context.run_id }}/mail"}},
        ),
        node("declined", "sim_pure", write_keys=["*"]),
    ],
    "__start__ > prep",
    "prep > buy",
    "prep > look",
    "prep > fan",
    "buy > merge",
    "look > merge",
    "fan > merge",
    "merge > ok",
    "ok > mail",
    "mail > __end__",
    "declined > __end__",
)

NESTED = graph(
    "nested",
    [
        node("sub", "sim_sub"),
        node("both", "sim_gather"),
        node("bag", "sim_bag"),
        node("fast", "sim_fan", config={"fail_fast": True}),
        node("worker", "sim_worker"),
        node("last", "sim_pure", write_keys=["*"]),
    ],
    "__start__ > sub",
    "__start__ > both",
    "__start__ > bag",
    "sub > last",
    "both > last",
    "__start__ > fast",
    "fast > last",
    "bag > last",
    "last > __end__",
    limits={"budget_usd": "0.09"},
)

CAPPED = graph(
    "capped",
    [
        agent("first", budget={"max_cost_usd": "0.012", "on_breach": "ask"}),
        agent("second", budget={"max_tokens": 1500, "on_breach": "ask"}),
        agent("third"),
        node(
            "mail",
            "tool",
            read_keys=["context"],
            config={"tool_id": "mail", "arguments": {"order": "{{ context.run_id }}/mail"}},
        ),
    ],
    "__start__ > first",
    "__start__ > second",
    "__start__ > third",
    "first > mail",
    "second > mail",
    "third > mail",
    "mail > __end__",
    limits={"budget_usd": "0.03"},
)

CHILD = graph(
    "child",
    [agent("inner"), node("ask", "question", config={"question": "Really?"})],
    "__start__ > inner",
    "inner > ask",
    "ask > __end__",
)

GRAPHS = (ORDERS, NESTED, CAPPED)
