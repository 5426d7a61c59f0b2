"""What is installed in a process, and the world of names that makes for a document."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.agents.skills import SKILLS, Skills
from engine.check import StaticWorld
from engine.core.graph.document import GraphSpec
from engine.core.node_types.registry import HANDLERS, NODE_TYPES, Handlers, NodeTypes
from engine.core.ports import MemoryStore
from engine.integrations.egress import Egress
from engine.integrations.memory.facts import PROCESS
from engine.integrations.tools.functions import DEFAULT, FunctionTools
from engine.integrations.tools.protocol import ToolSpec
from engine.scripted.agents import scripted_agents
from engine.scripted.script import Script
from engine.scripted.tools import ScriptedTools


@dataclass(frozen=True, slots=True)
class Installed:
    """Node types, functions, tools, facts and skills of this process.

    `egress` None switches HTTP off.
    """

    types: NodeTypes = NODE_TYPES
    handlers: Handlers = HANDLERS
    functions: FunctionTools = field(default_factory=lambda: DEFAULT)
    skills: Skills = SKILLS
    egress: Egress | None = None
    memory: MemoryStore = PROCESS

    def load(self) -> None:
        """Load what installed packages offer as tools."""
        if self.functions is DEFAULT:
            self.functions.load_entry_points()


def world_of(
    spec: GraphSpec,
    others: Mapping[str, GraphSpec],
    script: Script | None,
    installed: Installed,
    tools: Mapping[str, ToolSpec] | None = None,
) -> StaticWorld:
    """Return the world of a document: what is installed, beside it, and what a script answers.

    `tools` are those of `tools_of`, which is asked here where no event loop runs yet.
    """
    graphs = {**others, spec.id: spec}
    handlers = {name for entry in installed.handlers.all() for name in (entry.name, entry.path)}
    return StaticWorld(
        node_types=installed.types,
        agents=scripted_agents(script, graphs.values()),
        tools=asyncio.run(tools_of(script, installed.functions)) if tools is None else tools,
        handlers=handlers | set(script.functions if script is not None else ()),
        graphs=graphs,
        unlocks=installed.skills.unlocks(),
        registered_handlers=False,
    )


async def tools_of(script: Script | None, functions: FunctionTools) -> dict[str, ToolSpec]:
    """Return the tools that functions and a script offer, by name."""
    scripted = [] if script is None else await ScriptedTools(script).tools()
    listed = [tool.spec for tool in [*await functions.tools(), *scripted]]
    return {spec.name: _from_its_source(spec) for spec in listed}


def _from_its_source(spec: ToolSpec) -> ToolSpec:
    """Return a scripted `source/name` as a tool of that source, for `source/*` to find."""
    source, slash, _name = spec.name.rpartition("/")
    return replace(spec, source=source) if slash else spec
