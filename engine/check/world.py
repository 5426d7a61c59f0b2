"""What surrounds a graph: the names it may use."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from engine.check.fields import raw_texts
from engine.core.graph.document import AgentSpec, GraphSpec, NodeSpec
from engine.core.node_types.node_type import NodeType
from engine.core.node_types.registry import HANDLERS, NODE_TYPES, NodeTypes
from engine.core.state.requests import Actor
from engine.core.values.effort import charge
from engine.integrations.tools.protocol import ToolSpec

Kind: TypeAlias = Literal["node_type", "agent", "tool", "handler", "graph"]


class World(Protocol):
    """Answers what a name in a document stands for; None or nothing where it leads nowhere."""

    def node_type(self, name: str) -> NodeType | None:
        """Return the installed node type."""
        ...

    def agent(self, agent_id: str) -> AgentSpec | None:
        """Return the workspace's agent; it wins over the document's of the same id."""
        ...

    def tool(self, pattern: str) -> Sequence[ToolSpec]:
        """Return what `name`, `source/name` or `source/*` stands for."""
        ...

    def skills(self) -> Collection[str]:
        """Return the names of the workspace's skills, `learn_<name>`."""
        ...

    def unlocked(self, skill: str) -> Sequence[str]:
        """Return the tools that calling a skill offers; nothing where there is no such skill."""
        ...

    def handler(self, name: str) -> bool:
        """Return whether a function is registered under the name or `module:function`."""
        ...

    def graph(self, graph_id: str) -> GraphSpec | None:
        """Return another graph of the workspace."""
        ...

    def is_called(self, graph_id: str) -> bool:
        """Return whether another graph of the workspace runs this one as a step, as far as is known."""
        ...

    def default_model_known(self) -> bool:
        """Return whether `local/default` leads to a model."""
        ...

    def model_problem(self, name: str) -> str | None:
        """Return why there is no model of this name, None where there is one or nobody knows."""
        ...

    def takes_tools(self, model: str) -> bool:
        """Return whether a model may be asked to call tools; True where nobody said otherwise."""
        ...

    def people(self) -> Sequence[Actor] | None:
        """Return everyone in the workspace, None where nobody knows."""
        ...

    def names(self, kind: Kind) -> Collection[str]:
        """Return known names, to propose one for a near miss."""
        ...

    def approvals_required(self) -> bool:
        """Return whether a dangerous step without a guard is an error."""
        ...

    def sure_failures_block(self) -> bool:
        """Return whether a reference that makes a node surely fail is an error."""
        ...

    def source_problem(self, source: str) -> str | None:
        """Return why a source of tools does not answer, None where it does or is unknown."""
        ...

    def tool_is_off(self, full_name: str) -> bool:
        """Return whether somebody switched off the tool of this name, `source/name`."""
        ...

    def credential_hosts(self, name: str) -> Sequence[str] | None:
        """Return the hosts that a stored credential is bound to, None where there is no such.

        Raises `LookupError` where nobody knows which credentials there are.
        """
        ...

    def credential_names(self) -> Collection[str]:
        """Return the names of the stored credentials."""
        ...


@dataclass(frozen=True)
class StaticWorld:
    """A world held in memory: for scripts, commands and tests."""

    node_types: NodeTypes = NODE_TYPES
    agents: Mapping[str, AgentSpec] = field(default_factory=dict)
    tools: Mapping[str, ToolSpec] = field(default_factory=dict)
    handlers: Collection[str] = ()
    graphs: Mapping[str, GraphSpec] = field(default_factory=dict)
    called: Callable[[str], bool] | None = None
    """Says whether another graph runs one; None where `graphs` are all that could."""
    unlocks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The workspace's skills, `learn_<name>`, and the tools behind each."""
    members: Sequence[Actor] | None = None
    default_model: bool = True
    models: Callable[[str], str | None] | None = None
    """Says why a model cannot be used, None where it can."""
    tool_models: Callable[[str], bool] | None = None
    """Says whether a model takes tools."""
    registered_handlers: bool = True
    require_approval: bool = False
    block_sure_failures: bool = False
    silent_sources: Mapping[str, str] = field(default_factory=dict)
    """Sources of tools that do not answer, and why."""
    off: Collection[str] = ()
    """Tools that were switched off, as `source/name`."""
    credentials: Mapping[str, Sequence[str]] | None = None
    """Stored credentials by name, with the hosts each is bound to; None where nobody knows."""

    def node_type(self, name: str) -> NodeType | None:
        """Return the installed node type."""
        return self.node_types.find(name)

    def agent(self, agent_id: str) -> AgentSpec | None:
        """Look up an agent; None where the workspace has none of this id."""
        return self.agents.get(agent_id)

    def tool(self, pattern: str) -> Sequence[ToolSpec]:
        """Return the tools that match by name, by `source/name` or by `source/*`."""
        if pattern in self.tools:
            return (self.tools[pattern],)
        source, slash, name = pattern.partition("/")
        if not slash:
            return ()
        charge(len(self.tools))
        return [t for t in self.tools.values() if t.source == source and name in ("*", t.name)]

    def skills(self) -> Collection[str]:
        """Return the skills given."""
        return self.unlocks

    def unlocked(self, skill: str) -> Sequence[str]:
        """Return the tools given for a skill."""
        return self.unlocks.get(skill, ())

    def handler(self, name: str) -> bool:
        """Return whether the name was given or is registered in this process."""
        return name in self.handlers or (
            self.registered_handlers and HANDLERS.find(name) is not None
        )

    def graph(self, graph_id: str) -> GraphSpec | None:
        """Look up a live graph; None where the workspace has none of this id."""
        return self.graphs.get(graph_id)

    def is_called(self, graph_id: str) -> bool:
        """Return what was given, else whether a node of the other graphs names it."""
        if self.called is not None:
            return self.called(graph_id)
        others = (spec for name, spec in self.graphs.items() if name != graph_id)
        return any(graph_id in self._run_by(node) for spec in others for node in spec.nodes)

    def _run_by(self, node: NodeSpec) -> Iterator[str]:
        """Yield the graphs that a node runs."""
        charge(1)
        kind = self.node_types.find(node.type)
        return raw_texts(kind.Config, node.config, ("graph",)) if kind is not None else iter(())

    def default_model_known(self) -> bool:
        """Return what was given."""
        return self.default_model

    def model_problem(self, name: str) -> str | None:
        """Return what the given models say of a name."""
        return None if self.models is None else self.models(name)

    def takes_tools(self, model: str) -> bool:
        """Return what was given."""
        return self.tool_models is None or self.tool_models(model)

    def people(self) -> Sequence[Actor] | None:
        """Return the people given."""
        return self.members

    def names(self, kind: Kind) -> Collection[str]:
        """Return the names given for a kind."""
        known: dict[Kind, Collection[str]] = {
            "node_type": [node_type.type for node_type in self.node_types.all()],
            "agent": self.agents,
            "tool": self.tools,
            "handler": {*self.handlers, *(entry.name for entry in HANDLERS.all())},
            "graph": self.graphs,
        }
        charge(len(known[kind]))
        return known[kind]

    def approvals_required(self) -> bool:
        """Return what was given."""
        return self.require_approval

    def sure_failures_block(self) -> bool:
        """Return what was given."""
        return self.block_sure_failures

    def source_problem(self, source: str) -> str | None:
        """Return what was given."""
        return self.silent_sources.get(source)

    def tool_is_off(self, full_name: str) -> bool:
        """Return what was given."""
        return full_name in self.off

    def credential_hosts(self, name: str) -> Sequence[str] | None:
        """Return the hosts given. Raises `LookupError` where no credentials were given at all."""
        if self.credentials is None:
            raise LookupError("no credentials are known here")
        return self.credentials.get(name)

    def credential_names(self) -> Collection[str]:
        """Return the names given."""
        return self.credentials or ()
