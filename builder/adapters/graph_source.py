"""Graphs and agents of a workspace, as the engine asks for them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

from builder.adapters.threads import in_thread
from builder.models import Agent, GraphVersion
from engine.core.errors import StoreError
from engine.core.graph.document import AgentSpec, GraphSpec, parse_document
from engine.core.node_types.registry import NODE_TYPES, NodeTypes
from engine.core.state.program import Program

CACHED: Final = 256


class WorkspaceGraphs:
    """A `GraphSource` over versions and agents. Programs are kept, versions never change."""

    def __init__(self, types: NodeTypes = NODE_TYPES) -> None:
        self._types = types
        self._programs: OrderedDict[str, Program] = OrderedDict()

    async def graph_of_run(self, run_id: str, started: Mapping[str, Any]) -> Program:
        """Return the version that the run started with. Raises `StoreError` if it is gone."""
        return await self.version(str(started["version_id"]))

    async def version(self, version_id: str, spec: GraphSpec | None = None) -> Program:
        """Return a stored version ready to run; its document is parsed unless `spec` is given.

        Raises `StoreError`.
        """
        program = self._programs.get(version_id)
        if program is None:
            program = await in_thread(self._load, version_id, spec)
            self._programs[version_id] = program
            if len(self._programs) > CACHED:
                self._programs.popitem(last=False)
        return program

    def _load(self, version_id: str, spec: GraphSpec | None) -> Program:
        rows = GraphVersion.objects.filter(pk=version_id)
        row = (rows if spec is None else rows.defer("document")).first()
        if spec is None and row is not None:
            spec = parse_document(row.document)[0]
        if row is None or spec is None:
            raise StoreError(f"graph version {version_id} cannot be read any more")
        program = Program(spec, self._types)
        program.reference = (row.pk, row.graph_id)
        return program

    async def program(self, spec: GraphSpec, workspace_id: str | None) -> Program:
        """Return the program of a graph that `find_graph` returned."""
        for program in reversed(self._programs.values()):
            if program.spec is spec:
                return program
        return Program(spec, self._types)

    async def find_graph(self, graph_id: str, workspace_id: str | None) -> GraphSpec | None:
        """Return the latest published version of the workspace's graph `graph_id`."""
        version_id = await in_thread(self._latest, graph_id, workspace_id)
        return None if version_id is None else (await self.version(version_id)).spec

    @staticmethod
    def _latest(graph_id: str, workspace_id: str | None) -> str | None:
        versions = GraphVersion.objects.filter(
            graph__workspace=workspace_id, graph__slug=graph_id, graph__archived_at__isnull=True
        ).published()
        found = versions.first()
        return None if found is None else found.pk

    async def find_agent(self, agent_id: str, workspace_id: str | None) -> AgentSpec | None:
        """Return the workspace's agent of that id; it wins over the document's."""
        return await in_thread(self._agent, agent_id, workspace_id)

    @staticmethod
    def _agent(agent_id: str, workspace_id: str | None) -> AgentSpec | None:
        row = Agent.objects.filter(workspace=workspace_id, slug=agent_id).first()
        return None if row is None else agent_spec(row)


def agent_spec(row: Agent) -> AgentSpec:
    """Return an agent's row in the form of the document."""
    return AgentSpec.model_validate(
        {
            "id": row.slug,
            "model": row.model,
            "system_prompt": row.system_prompt,
            "temperature": row.temperature,
            "max_output_tokens": row.max_output_tokens,
            "tools": list(row.tools),
            "permissions": row.permissions,
            "ask": row.ask,
        }
    )
