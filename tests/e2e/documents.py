"""Graph documents that the browser tests run."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

Document = dict[str, Any]


def line(slug: str, nodes: list[dict[str, Any]], **more: Any) -> Document:
    """Return a graph whose nodes follow one another."""
    for place, node in enumerate(nodes):
        node.setdefault("position", {"x": 220 + 320 * place, "y": 160})
    ids = ["__start__", *(node["id"] for node in nodes)]
    edges = [
        {"id": f"e{place}", "source": source, "target": target}
        for place, (source, target) in enumerate(pairwise(ids))
    ]
    name = slug.replace("-", " ").capitalize()
    return {"graphwright": 1, "id": slug, "name": name, "nodes": nodes, "edges": edges, **more}


def agent(node_id: str, agent_id: str, prompt: str = "{{ input }}", **more: Any) -> dict[str, Any]:
    """Return an agent node that reads the input."""
    config = {"agent_id": agent_id, "prompt": prompt}
    return {"id": node_id, "type": "agent", "read_keys": ["input"], "config": config, **more}


def thinker(agent_id: str, model: str) -> dict[str, Any]:
    """Return an agent of the fake model server."""
    return {
        "id": agent_id,
        "model": f"{model}/fake-small",
        "system_prompt": "You write things down.",
        "max_output_tokens": 100,
    }


def question(slug: str, kind: str, **config: Any) -> Document:
    """Return a graph that asks one question; the answer is its result."""
    asked = {"kind": kind, "question": f"Which way for {slug}?", **config}
    return line(slug, [{"id": "ask", "type": "question", "label": "Ask", "config": asked}])
