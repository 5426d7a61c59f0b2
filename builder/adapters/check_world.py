"""What a document's check may look names up in: the workspace, the registry, the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial

from builder.adapters.callers import is_called
from builder.adapters.directory import actors_in
from builder.adapters.graph_source import agent_spec
from builder.adapters.models.access import model_problem, takes_tools
from builder.base.tool_sources import ListedSources
from builder.models import Agent, Credential, Graph, GraphVersion, ToolSetting
from engine.agents.skills import SKILLS
from engine.check.world import StaticWorld
from engine.core.graph.document import GraphSpec, parse_document
from engine.integrations.tools.protocol import ToolSpec


def workspace_world(
    spec: GraphSpec, workspace_id: str, tools: ListedSources, *, require_approval: bool = False
) -> StaticWorld:
    """Return the world of one workspace as it is now, with the tools that its sources listed.

    `require_approval` makes a dangerous step without a guard an error.
    """
    agents = [agent_spec(row) for row in Agent.objects.filter(workspace=workspace_id)]
    return StaticWorld(
        agents={**spec.agents_by_id, **{agent.id: agent for agent in agents}},
        tools=_by_name(tools.specs),
        require_approval=require_approval,
        block_sure_failures=True,
        silent_sources=tools.unreachable,
        credentials=_credentials(workspace_id),
        off=_off(workspace_id),
        unlocks=SKILLS.unlocks(),
        graphs=PublishedGraphs(workspace_id),
        called=lru_cache(maxsize=None)(partial(is_called, workspace_id)),
        members=actors_in(workspace_id, away=()),
        tool_models=lru_cache(maxsize=None)(partial(takes_tools, workspace_id)),
        models=lru_cache(maxsize=None)(partial(model_problem, workspace_id)),
    )


def _by_name(specs: Sequence[ToolSpec]) -> dict[str, ToolSpec]:
    """Return tools by the name that leads to each: a bare one is the first source's that has it."""
    found: dict[str, ToolSpec] = {}
    for spec in specs:
        found[spec.full_name if spec.name in found else spec.name] = spec
    return found


def _credentials(workspace_id: str) -> dict[str, tuple[str, ...]]:
    rows = Credential.objects.filter(workspace=workspace_id).values_list("name", "hosts")
    return {name: tuple(hosts) for name, hosts in rows}


def _off(workspace_id: str) -> frozenset[str]:
    rows = ToolSetting.objects.filter(workspace=workspace_id, on=False)
    return frozenset(rows.values_list("tool", flat=True))


class PublishedGraphs(Mapping[str, GraphSpec]):
    """What the graphs of a workspace run as subgraphs: their latest versions, read when asked."""

    def __init__(self, workspace_id: str) -> None:
        self._workspace = workspace_id
        self._read: dict[str, GraphSpec | None] = {}

    def __getitem__(self, graph_id: str) -> GraphSpec:
        if graph_id not in self._read:
            self._read[graph_id] = self._latest(graph_id)
        found = self._read[graph_id]
        if found is None:
            raise KeyError(graph_id)
        return found

    def _latest(self, graph_id: str) -> GraphSpec | None:
        versions = GraphVersion.objects.filter(
            graph__workspace=self._workspace,
            graph__slug=graph_id,
            graph__archived_at__isnull=True,
        ).published()
        row = versions.first()
        return None if row is None else parse_document(row.document)[0]

    def _slugs(self) -> set[str]:
        graphs = Graph.objects.filter(workspace=self._workspace, archived_at__isnull=True)
        return set(graphs.filter(versions__is_draft=False).values_list("slug", flat=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self._slugs())

    def __len__(self) -> int:
        return len(self._slugs())
