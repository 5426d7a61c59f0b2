"""Run a graph in this process: for scripts, tests and the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.agents.skills import SKILLS, Skills
from engine.core.graph.document import GraphSpec
from engine.core.node_types.registry import HANDLERS, NODE_TYPES, Handlers, NodeTypes
from engine.core.ports import Clock, Feed, GraphSource
from engine.integrations.egress import Egress
from engine.integrations.memory.facts import InMemoryFacts
from engine.integrations.models.catalog import ModelCatalog
from engine.integrations.models.chat import Models
from engine.integrations.tools.functions import DEFAULT as FUNCTIONS
from engine.integrations.tools.functions import FunctionTools
from engine.integrations.tools.protocol import Tools
from engine.integrations.tools.toolset import Toolset
from engine.local.graphs import LocalGraphs
from engine.runtime.runner import Runner
from engine.runtime.services import Services
from engine.runtime.stores.buffered import BufferedStore
from engine.runtime.stores.memory import MemoryRunStore
from engine.runtime.system import SystemClock, TurnsForAll
from engine.scripted.agents import scripted_agents
from engine.scripted.functions import ScriptedHandlers
from engine.scripted.models import ScriptedModels
from engine.scripted.script import Script
from engine.scripted.tools import ScriptedTools

StoreMaker: TypeAlias = Callable[[Clock, GraphSource, Feed], BufferedStore]
"""Makes the store of a runner from what it needs."""


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
        **{
            "clock": clock,
            "turns": TurnsForAll(clock),
            "memory": InMemoryFacts(),
            **(services or {}),
        },
    )
    made = (store or MemoryRunStore)(clock, source, bundle.feed)
    return Local(Runner(made, bundle), source, made, clock, models, scripted)
