"""Agents that only a script answers for."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.graph.document import AgentSpec, GraphSpec
from engine.scripted.script import Script


def scripted_agents(script: Script | None, graphs: Iterable[GraphSpec]) -> dict[str, AgentSpec]:
    """Return agents that only a script answers for: no document declares them."""
    if script is None:
        return {}
    declared = {agent.id for graph in graphs for agent in graph.agents}
    undeclared = [name for name in script.agents if name not in declared]
    return {name: AgentSpec.model_construct(id=name) for name in undeclared}
