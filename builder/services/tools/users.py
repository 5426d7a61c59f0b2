"""Who uses the tools of a workspace."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import OuterRef, Subquery

from builder.models import AcceptedTool, Agent, GraphVersion, VersionReference
from engine.integrations.tools.protocol import ToolSpec


class ToolUsers:
    """Who uses a workspace's tools: published graphs by id and name, and agents by id."""

    def __init__(self, workspace_id: str, specs: Sequence[ToolSpec]) -> None:
        self._first: dict[str, str] = {}
        for spec in specs:
            self._first.setdefault(spec.name, spec.full_name)
        self._graphs = _graphs_by_entry(workspace_id)
        self._agents = list(
            Agent.objects.filter(workspace=workspace_id).values_list("slug", "tools")
        )

    def graphs(self, spec: ToolSpec) -> list[tuple[str, str]]:
        """Return `(id, name)` of the graphs whose live version names the tool."""
        found: dict[str, str] = {}
        for entry, graphs in self._graphs.items():
            if self._means(entry, spec):
                found |= graphs
        return sorted(found.items(), key=lambda each: each[1])

    def agents(self, spec: ToolSpec) -> list[str]:
        """Return the ids of the workspace's agents that list the tool."""
        return [
            slug for slug, tools in self._agents if any(self._means(name, spec) for name in tools)
        ]

    def _means(self, entry: str, spec: ToolSpec) -> bool:
        name = entry.removeprefix("+")
        if name == spec.name:
            return self._first.get(name) == spec.full_name
        return name in (spec.full_name, f"{spec.source}/*", f"{spec.source}__{spec.name}")


def _graphs_by_entry(workspace_id: str) -> dict[str, dict[str, str]]:
    newest = (
        GraphVersion.objects.published().filter(graph=OuterRef("version__graph")).values("number")
    )
    named = VersionReference.objects.filter(
        kind="tool",
        version__graph__workspace=workspace_id,
        version__graph__archived_at__isnull=True,
        version__number=Subquery(newest[:1]),
    ).values_list("name", "version__graph_id", "version__graph__name")
    users: dict[str, dict[str, str]] = {}
    for entry, graph_id, graph_name in named:
        users.setdefault(entry, {})[graph_id] = graph_name
    return users


class SkillUsers:
    """Who names a workspace's skills: published graphs by id and name, and agents by id.

    Every agent may learn each skill unless a node lists other tools, so these are those that ask
    for one by its name.
    """

    def __init__(self, workspace_id: str) -> None:
        self._graphs = _graphs_by_entry(workspace_id)
        self._agents = list(
            Agent.objects.filter(workspace=workspace_id).values_list("slug", "tools")
        )

    def graphs(self, tool_name: str) -> list[tuple[str, str]]:
        """Return `(id, name)` of the graphs whose live version names `learn_<name>`."""
        found = self._graphs.get(tool_name, {}) | self._graphs.get(f"+{tool_name}", {})
        return sorted(found.items(), key=lambda each: each[1])

    def agents(self, tool_name: str) -> list[str]:
        """Return the ids of the workspace's agents that list `learn_<name>`."""
        return [slug for slug, tools in self._agents if tool_name in tools]


def users_of_source(workspace_id: str, source: str) -> list[dict[str, str]]:
    """Return the workflows and agents that name a source, or by its bare name a tool of it."""
    accepted = AcceptedTool.objects.filter(workspace=workspace_id)
    full = set(accepted.values_list("name", flat=True))
    bare = {name.partition("/")[2] for name in full if name.startswith(f"{source}/")}
    others = {name.partition("/")[2] for name in full if not name.startswith(f"{source}/")}

    def means(entry: str) -> bool:
        name = entry.removeprefix("+")
        return name.startswith((f"{source}/", f"{source}__")) or name in bare - others

    graphs: dict[str, str] = {}
    for entry, users in _graphs_by_entry(workspace_id).items():
        graphs |= users if means(entry) else {}
    agents = Agent.objects.filter(workspace=workspace_id).values_list("slug", "name", "tools")
    found = [{"kind": "workflow", "id": key, "name": name} for key, name in graphs.items()]
    found += [
        {"kind": "agent", "id": slug, "name": name or slug}
        for slug, name, tools in agents
        if any(means(each) for each in tools)
    ]
    return found
