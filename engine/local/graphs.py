"""Graphs by id from a list of documents."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from engine.core.graph.document import AgentSpec, GraphSpec
from engine.core.node_types.registry import NODE_TYPES, NodeTypes
from engine.core.state.program import Program


class LocalGraphs:
    """Graphs by id from a list of documents; `agents` beside those that they declare."""

    def __init__(
        self,
        graphs: Iterable[GraphSpec],
        types: NodeTypes = NODE_TYPES,
        agents: Mapping[str, AgentSpec] | None = None,
    ) -> None:
        self.types = types
        self._agents = dict(agents or {})
        self._specs = {spec.id: spec for spec in graphs}
        self._programs: dict[str, Program] = {}
        self._by_hash: dict[str, GraphSpec] = {spec.hash: spec for spec in self._specs.values()}
        self.kept: Callable[[str], Awaitable[GraphSpec]] | None = None
        """Finds documents of former processes by their hash."""

    def program_of(self, spec: GraphSpec) -> Program:
        """Return `spec` ready to run, made once."""
        program = self._programs.get(spec.hash)
        if program is None:
            program = self._programs[spec.hash] = Program(spec, self.types)
            self._by_hash[spec.hash] = spec
        return program

    async def graph_of_run(self, run_id: str, started: Mapping[str, Any]) -> Program:
        """Return the program of a run by the hash in its first event.

        Raises `KeyError` for one that is neither given nor kept, or what `kept` raises.
        """
        found = self._by_hash.get(started["graph_hash"])
        if found is None and self.kept is not None:
            found = await self.kept(started["graph_hash"])
        return self.program_of(self._by_hash[started["graph_hash"]] if found is None else found)

    async def program(self, spec: GraphSpec, workspace_id: str | None) -> Program:
        """Return `spec` ready to run."""
        return self.program_of(spec)

    async def find_graph(self, graph_id: str, workspace_id: str | None) -> GraphSpec | None:
        """Return the document with this id."""
        return self._specs.get(graph_id)

    async def find_agent(self, agent_id: str, workspace_id: str | None) -> AgentSpec | None:
        """Return an agent that no document declares."""
        return self._agents.get(agent_id)
