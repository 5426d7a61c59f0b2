"""Run a graph in this process: for scripts, tests and the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.chat import Models
from engine.egress import Egress
from engine.graph import AgentSpec, GraphSpec
from engine.models import ModelCatalog
from engine.program import Program
from engine.providers.scripted import ScriptedModels
from engine.registry import HANDLERS, NODE_TYPES, Handlers, NodeTypes
from engine.runner import Runner
from engine.script import Script
from engine.scripted_functions import ScriptedHandlers
from engine.services import Services, SystemClock
from engine.stores.buffered import BufferedStore
from engine.stores.memory import MemoryRunStore
from engine.tool import Tool, Tools, ToolSpec


class LocalGraphs:
    """Graphs by id from a list of documents; agents only from the documents themselves."""

    def __init__(self, graphs: Iterable[GraphSpec], types: NodeTypes = NODE_TYPES) -> None:
        self.types = types
        self._specs = {spec.id: spec for spec in graphs}
        self._programs: dict[str, Program] = {}
        self._by_hash: dict[str, GraphSpec] = {spec.hash: spec for spec in self._specs.values()}

    def program_of(self, spec: GraphSpec) -> Program:
        """Return `spec` ready to run, made once."""
        program = self._programs.get(spec.hash)
        if program is None:
            program = self._programs[spec.hash] = Program(spec, self.types)
            self._by_hash[spec.hash] = spec
        return program

    async def graph_of_run(self, run_id: str, started: Mapping[str, Any]) -> Program:
        """Return the program of a run by the hash in its first event. Raises `KeyError`."""
        return self.program_of(self._by_hash[started["graph_hash"]])

    async def program(self, spec: GraphSpec, workspace_id: str | None) -> Program:
        """Return `spec` ready to run."""
        return self.program_of(spec)

    async def find_graph(self, graph_id: str, workspace_id: str | None) -> GraphSpec | None:
        """Return the document with this id."""
        return self._specs.get(graph_id)

    async def find_agent(self, agent_id: str, workspace_id: str | None) -> AgentSpec | None:
        """Return None: without a workspace the document's agents are all there are."""
        return None


class NoTools:
    """A workspace without tools."""

    async def find(self, name: str, *, workspace_id: str | None) -> Tool | None:
        """Return None."""
        return None

    async def expand(self, pattern: str, *, workspace_id: str | None) -> list[ToolSpec]:
        """Return nothing."""
        return []


@dataclass(slots=True)
class Local:
    """A runner over in-memory parts, with handles on what tests want to look at."""

    runner: Runner
    graphs: LocalGraphs
    store: BufferedStore
    clock: SystemClock
    models: Models
    extras: dict[str, Any] = field(default_factory=dict)


def make_local(
    graphs: Iterable[GraphSpec], *, script: Script | None = None, types: NodeTypes = NODE_TYPES,
    handlers: Handlers = HANDLERS, models: Models | None = None, tools: Tools | None = None,
    secret: bytes = b"local", egress: Egress | None = None, services: Mapping[str, Any] | None = None,
    store: BufferedStore | None = None,
) -> Local:  # fmt: skip
    """Return a runner whose runs live in memory. A `script` replaces models, tools and functions."""
    clock = (services or {}).get("clock") or SystemClock()
    source = LocalGraphs(graphs, types)
    if models is None:
        models = ScriptedModels(script, sleep=clock.sleep) if script else ModelCatalog()
    if script is not None:
        handlers = ScriptedHandlers(script, handlers)
    bundle = Services(
        models=models,
        tools=tools or NoTools(),
        graphs=source,
        handlers=handlers,
        secret=secret,
        egress=egress,
        **{"clock": clock, **(services or {})},
    )
    store = store or MemoryRunStore(clock, source, bundle.feed)
    return Local(Runner(store, bundle), source, store, clock, models)
