"""What a graph needs of its models, derived from the document.

The built-in model fills schemas: it sorts, extracts and quotes. Where an answer has no schema, or
a node asks for ever better texts, a model that writes is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, TypeAlias

from engine.core.graph.document import GraphSpec, NodeSpec

Need: TypeAlias = Literal["builtin", "prose", "tools"]
"""`builtin`: the built-in model is enough; `prose`: a model that writes; `tools`: one that also
calls tools."""


def need_of(specs: Iterable[GraphSpec]) -> Need:
    """Return what is needed to run all of the graphs."""
    found: Need = "builtin"
    for spec in specs:
        if _calls_tools(spec):
            return "tools"
        if any(_writes(node, spec) for node in spec.nodes):
            found = "prose"
    return found


def _calls_tools(spec: GraphSpec) -> bool:
    lists = [agent.tools for agent in spec.agents]
    lists += [node.config.get("tools") or () for node in spec.nodes]
    return any(lists)


def _writes(node: NodeSpec, spec: GraphSpec) -> bool:
    asks = _WRITERS.get(node.type)
    return asks is not None and asks(node, spec)


def _answers_freely(node: NodeSpec, spec: GraphSpec) -> bool:
    """Return whether an agent's answer is text of its own, or is refined until it is good."""
    if node.config.get("annealing") is not None:
        return True
    known = (spec.state_schema or {}).get("properties") or {}
    typed = any(key in known for key in spec.write_keys_of(node))
    return node.config.get("result_schema") is None and not typed


_WRITERS: Final[Mapping[str, Callable[[NodeSpec, GraphSpec], bool]]] = {
    "agent": _answers_freely,
    "evolution": lambda _node, _spec: True,
    "synthesizer": lambda node, _spec: node.config.get("agent_id") is not None,
    "verifier": lambda node, _spec: node.config.get("type") == "llm_judge",
    "voting": lambda node, _spec: not node.config.get("options"),
}
