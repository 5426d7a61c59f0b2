"""What a document's check may look names up in: the workspace, the registry, the document."""

from __future__ import annotations

from collections.abc import Sequence

from builder.adapters.graph_source import agent_spec
from builder.models import Agent
from engine.check.world import StaticWorld
from engine.graph import GraphSpec
from engine.skills import SKILLS
from engine.tool import ToolSpec


def workspace_world(spec: GraphSpec, workspace_id: str, tools: Sequence[ToolSpec]) -> StaticWorld:
    """Return the world of one workspace as it is now."""
    agents = [agent_spec(row) for row in Agent.objects.filter(workspace=workspace_id)]
    return StaticWorld(
        agents={**spec.agents_by_id, **{agent.id: agent for agent in agents}},
        tools={tool.name: tool for tool in tools},
        unlocks=SKILLS.unlocks(),
    )
