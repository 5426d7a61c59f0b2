"""Run a graph in this process: for scripts, tests and the command line."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.agents.skills import SKILLS, Skills
from engine.core.graph.document import AgentSpec, GraphSpec
from engine.core.node_types.registry import HANDLERS, NODE_TYPES, Handlers, NodeTypes
from engine.core.ports import Clock, Feed, GraphSource
from engine.core.state.program import Program
from engine.integrations.egress import Egress
from engine.integrations.memory.facts import InMemoryFacts
from engine.integrations.models.catalog import ModelCatalog
from engine.integrations.models.chat import Models
from engine.integrations.tools.functions import DEFAULT as FUNCTIONS
from engine.integrations.tools.functions import FunctionTools
from engine.integrations.tools.protocol import Tools
from engine.integrations.tools.toolset import Toolset
from engine.runtime.runner import Runner
from engine.runtime.services import Services, SystemClock
from engine.runtime.stores.buffered import BufferedStore
from engine.runtime.stores.memory import MemoryRunStore
from engine.scripted.functions import ScriptedHandlers
from engine.scripted.models import ScriptedModels
from engine.scripted.script import Script
from engine.scripted.tools import ScriptedTools

StoreMaker: TypeAlias = Callable[[Clock, GraphSource, Feed], BufferedStore]
"""Makes the store of a runner from what it needs."""


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


@dataclass(slots=True)
class Local:
    """A runner over in-memory parts, with handles on what tests want to look at."""

    runner: Runner
    graphs: LocalGraphs
    store: BufferedStore
    clock: SystemClock
    models: Models
    scripted_tools: ScriptedTools | None = None


def make_local(  # noqa: PLR0913  one place where the parts of a runner meet
    graphs: Iterable[GraphSpec],
    *,
    script: Script | None = None,
    types: NodeTypes = NODE_TYPES,
    handlers: Handlers = HANDLERS,
    models: Models | None = None,
    tools: Tools | None = None,
    functions: FunctionTools = FUNCTIONS,
    skills: Skills = SKILLS,
    secret: bytes = b"local",
    egress: Egress | None = None,
    services: Mapping[str, Any] | None = None,
    store: StoreMaker | None = None,
) -> Local:
    """Return a runner whose runs live in memory, or in what `store` makes.

    A `script` replaces the models and goes before tools and functions of the same name.
    """
    clock = (services or {}).get("clock") or SystemClock()
    specs = list(graphs)
    source = LocalGraphs(specs, types, scripted_agents(script, specs))
    scripted = None if script is None else ScriptedTools(script, sleep=clock.sleep)
    if models is None:
        models = ScriptedModels(script, sleep=clock.sleep) if script else ModelCatalog()
    if script is not None:
        handlers = ScriptedHandlers(script, handlers)
    bundle = Services(
        models=models,
        tools=tools or Toolset((functions,) if scripted is None else (scripted, functions)),
        graphs=source,
        handlers=handlers,
        skills=skills,
        secret=secret,
        egress=egress,
        **{"clock": clock, "memory": InMemoryFacts(), **(services or {})},
    )
    made = (store or MemoryRunStore)(clock, source, bundle.feed)
    return Local(Runner(made, bundle), source, made, clock, models, scripted)


def scripted_agents(script: Script | None, graphs: Iterable[GraphSpec]) -> dict[str, AgentSpec]:
    """Return agents that only a script answers for: no document declares them."""
    if script is None:
        return {}
    declared = {agent.id for graph in graphs for agent in graph.agents}
    undeclared = [name for name in script.agents if name not in declared]
    return {name: AgentSpec.model_construct(id=name) for name in undeclared}
