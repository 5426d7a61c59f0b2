"""What a workspace has that a workflow may use, by name: tools, workflows, agents. No secrets."""

from __future__ import annotations

from typing import Final

from builder.base import engine_door
from builder.models import Agent, GraphVersion
from engine.core.node_types.registry import HANDLERS

MOST: Final = 60
"""Names of a kind that a model is told."""
MOST_ABOUT: Final = 120


def what_is_there(workspace_id: str) -> dict[str, list[str]]:
    """Return names by kind, each with a few words; nobody is waited for."""
    tools = engine_door.engine().known_tools(workspace_id).specs
    agents = Agent.objects.filter(workspace=workspace_id).order_by("slug")
    versions = GraphVersion.objects.filter(
        graph__workspace=workspace_id, graph__archived_at__isnull=True
    ).published()
    slugs = versions.order_by("graph__slug").values_list("graph__slug", flat=True).distinct()
    return {
        "Tools": [_named(tool.name, tool.description) for tool in tools[:MOST]],
        "Workflows (subgraph_id)": list(slugs[:MOST]),
        "Functions": [_named(each.name, each.describe()["description"]) for each in HANDLERS.all()],
        "Agents": [_named(agent.slug, agent.name) for agent in agents[:MOST]],
    }


def _named(name: str, about: object) -> str:
    words = " ".join(str(about).split())[:MOST_ABOUT]
    return f"{name} ({words})" if words else name
