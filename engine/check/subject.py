"""A graph prepared for its checks: configs read, fields listed, grants computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from pydantic import ValidationError

from engine.check.access import root
from engine.check.fields import FieldValue, fields_of, raw_texts
from engine.check.world import World
from engine.core.effects import EffectClass
from engine.core.errors import NodeError
from engine.core.graph.cures import allow
from engine.core.graph.document import AgentSpec, EdgeSpec, GraphSpec, NodeSpec
from engine.core.graph.problems import Fix, Problem, did_you_mean, one_of, places_of, problems_of
from engine.core.node_types.form import read_config
from engine.core.node_types.hooks import Told, told_by
from engine.core.node_types.node_type import NodeConfig, NodeType
from engine.core.values.effort import charge
from engine.core.values.json import thaw

_NODE: Final = 100
"""Units of effort to prepare a node; one of a graph that others run is prepared again and again."""


@dataclass
class NodeSubject:
    """One node: its type and config are None where they are unknown or invalid."""

    spec: NodeSpec
    index: int
    read_keys: tuple[str, ...]
    write_keys: tuple[str, ...]
    type: NodeType | None = None
    config: NodeConfig | None = None
    told: Told | None = None
    """What the type says about the config."""
    fields: tuple[FieldValue, ...] = field(default=())
    given: tuple[str, ...] = ()
    """Memory keys that the composite around it lets it read."""

    @property
    def id(self) -> str:
        """The node's id."""
        return self.spec.id

    @property
    def label(self) -> str:
        """What people call the node."""
        return self.spec.label or self.id

    @property
    def path(self) -> str:
        """The node's place in the document."""
        return f"nodes[{self.index}]"

    def problem(self, code: str, path: str, message: str) -> Problem:
        """Return a problem of this node, at `path` under it."""
        return Problem.of(code, f"{self.path}.{path}" if path else self.path, message, node=self.id)

    def at(self, code: str, found: FieldValue | str, message: str) -> Problem:
        """Return a problem of this node at one of its fields."""
        path = found if isinstance(found, str) else found.path
        return Problem.of(code, path, message, node=self.id)

    def unreadable(
        self, found: FieldValue | str, message: str, key: str | None, *, sure: bool = False
    ) -> Problem:
        """Return the problem of a reference that may not be read, with the read key that cures it.

        `sure`: the node cannot succeed without it, so it is an error.
        """
        problem = self.at("UnreadableKey", found, message)
        problem = replace(problem, severity="error" if sure else problem.severity)
        if key is None:
            return problem
        return replace(
            problem.mended(f"{self.label} may not read {key} yet.", allow(self.id, key)),
            fix=Fix("add_read_key", self.id, key),
        )

    def with_widget(self, *widgets: str) -> Iterator[FieldValue]:
        """Yield the set fields of these kinds."""
        return (f for f in self.fields if f.widget in widgets and f.value is not None)

    @cached_property
    def agent_names(self) -> tuple[tuple[tuple[str | int, ...], str], ...]:
        """Every agent that the node names, with its place: in the config, and when money is short."""
        named = [at for f in self.with_widget("agent", "agents") for at in f.texts()]
        fallback = self.spec.budget.fallback_agent_id if self.spec.budget else None
        if fallback is not None:
            named.append((("nodes", self.index, "budget", "fallback_agent_id"), fallback))
        return tuple(named)

    @cached_property
    def own_keys(self) -> tuple[str, ...]:
        """Memory keys that the type writes by itself."""
        return () if self.told is None else self.told.own_keys

    @cached_property
    def granted_reads(self) -> tuple[str, ...]:
        """Memory keys that the config lets the node read by naming them."""
        return () if self.told is None else self.told.granted_reads

    @cached_property
    def effect(self) -> EffectClass | None:
        """What the type says about this config; None where the config is unknown."""
        return None if self.told is None else self.told.effect

    @cached_property
    def is_gate(self) -> bool:
        """Whether a person can refuse here: the type has a way out for a rejection."""
        return self.type is not None and any(h.on == "rejected" for h in self.type.handles)

    @cached_property
    def children(self) -> tuple[str, ...]:
        """Ids of the nodes that the config leads to, also where the config is invalid."""
        if self.type is not None and self.config is None:
            named = raw_texts(self.type.Config, self.spec.config, ("node", "nodes"))
            return tuple(name for name in named if name)
        return tuple(
            text for f in self.with_widget("node", "nodes") for _place, text in f.texts() if text
        )

    @cached_property
    def run_children(self) -> tuple[str, ...]:
        """Ids of the nodes that this one runs itself."""
        return tuple(
            text
            for f in self.with_widget("node", "nodes")
            if f.hint("runs")
            for _place, text in f.texts()
        )

    @cached_property
    def followed(self) -> tuple[str, ...]:
        """Ids of the nodes that the config leads to as an edge would."""
        return tuple(name for name in self.children if name not in self.run_children)

    def granted(self, grant: str) -> tuple[str, ...]:
        """Return keys that are granted by being named in the config."""
        return tuple(
            text for f in self.fields if f.hint("grants") == grant for _place, text in f.texts()
        )

    @cached_property
    def readable(self) -> tuple[str, ...]:
        """Everything the node's templates may read: its keys, its type's, and its grants."""
        always: tuple[str, ...] = getattr(self.type, "always_reads", ())
        return (*self.read_keys, *always, *self.given, *self.granted("read"))

    @cached_property
    def gives(self) -> tuple[str, ...]:
        """Memory keys that it lets the nodes read that it runs."""
        return tuple(
            key for f in self.with_widget("node", "nodes") for key in f.hint("gives") or ()
        )


@dataclass
class Subject:
    """A graph in its world. `problems` are those found while preparing it."""

    spec: GraphSpec
    world: World
    problems: list[Problem] = field(default_factory=list)

    @cached_property
    def by_id(self) -> dict[str, NodeSubject]:
        """Prepared nodes by id."""
        return {node.id: node for node in self.nodes}

    nodes: list[NodeSubject] = field(init=False)

    def __post_init__(self) -> None:
        self.nodes = [self._prepared(index, node) for index, node in enumerate(self.spec.nodes)]
        for node in self.nodes:
            self._hand_down(node, node.gives)

    def _hand_down(self, node: NodeSubject, keys: tuple[str, ...]) -> None:
        """Give keys to the nodes that a composite runs, and to those that they run."""
        waiting = [node] if keys else []
        while waiting:
            for name in waiting.pop().run_children:
                child = self.by_id.get(name)
                charge(1 + len(keys))
                if child is not None and not set(keys) <= set(child.given):
                    child.given = tuple(dict.fromkeys((*child.given, *keys)))
                    waiting.append(child)

    @cached_property
    def written(self) -> set[str] | None:
        """Every memory key that something may write, None where anything may be written."""
        return None if self._remembered is None else {*self._remembered, *self._start_fields}

    @cached_property
    def _remembered(self) -> set[str] | None:
        """Every memory key that there may be whoever starts the run; None where it may be any."""
        keys = {*self.spec.initial_memory}
        for node in self.nodes:
            keys.update(node.gives)
            if "*" in node.write_keys:
                return None
            keys.update(map(root, (*node.write_keys, *node.own_keys, *node.granted("write"))))
        return keys

    @cached_property
    def _start_fields(self) -> set[str]:
        interface = self.spec.interface
        return set(interface.inputs.get("properties", ())) if interface else set()

    @cached_property
    def is_called(self) -> bool:
        """Whether another graph runs this one: its start fields are in its memory then."""
        return self.world.is_called(self.spec.id)

    def only_start(self, key: str) -> bool:
        """Return whether a memory key is absent in every run that a person starts.

        It is the name of a start field, which a run has as `input`; only a graph that runs this one
        puts it into memory as well.
        """
        known = self._remembered
        named = known is not None and key in self._start_fields and key not in known
        return named and not self.is_called

    def lacks(self, path: Sequence[str]) -> bool:
        """Return whether a path leads to a field that certainly nothing gives: `memory`, its name."""
        known = self.written
        return known is not None and path[0] == "memory" and len(path) > 1 and path[1] not in known

    def agent(self, agent_id: str) -> AgentSpec | None:
        """Return the agent: the workspace's, else the document's."""
        return self.world.agent(agent_id) or self.spec.agents_by_id.get(agent_id)

    def agents_of(self, node: NodeSubject) -> Iterator[tuple[FieldValue, str, AgentSpec | None]]:
        """Yield each agent that a node's config names, with its field and id."""
        for found in node.with_widget("agent", "agents"):
            for _place, agent_id in found.texts():
                yield found, agent_id, self.agent(agent_id)

    def grant(self, node: NodeSubject) -> tuple[str, ...]:
        """Return the node's write keys below the ceiling of its agent (row C9)."""
        keys = node.write_keys
        for found, _agent_id, agent in self.agents_of(node):
            ceiling = agent.permissions.write_keys if agent and agent.permissions else None
            if found.widget == "agent" and ceiling is not None and "*" not in ceiling:
                keys = ceiling if "*" in keys else tuple(k for k in keys if k in ceiling)
        return keys

    def label(self, node_id: str) -> str:
        """Return what people call a node; its id where there is none."""
        return self.by_id[node_id].label if node_id in self.by_id else node_id

    def between(self, edge: EdgeSpec) -> str:
        """Return between what an edge leads, as people call it: from Router to Approval."""
        source, target = (
            self.by_id[end].label if end in self.by_id else end.strip("_").capitalize()
            for end in (edge.source, edge.target)
        )
        return f"from {source} to {target}"

    def edge_problem(self, code: str, edge: EdgeSpec, field_: str, message: str) -> Problem:
        """Return a problem whose path leads to `field_` of the edge, in the document as it was given."""
        return Problem.of(code, f"edges[{edge.index}].{field_}", message, edge=edge.key)

    def _prepared(self, index: int, spec: NodeSpec) -> NodeSubject:
        charge(_NODE)
        node = NodeSubject(spec, index, self.spec.read_keys_of(spec), self.spec.write_keys_of(spec))
        node.type = self.world.node_type(spec.type)
        if node.type is None:
            self.problems.append(self._unknown_type(node))
            return node
        place: tuple[str | int, ...] = ("nodes", index, "config")
        try:
            node.config = read_config(node.type, spec.config)
        except ValidationError as error:
            found = problems_of(error, node.type.Config, thaw(spec.config), place)
            self.problems += [
                replace(problem, node=spec.id, say=problem.say or _asked(node, problem))
                for problem in found
            ]
            node.config = _known_part(node.type, spec, error)
            if node.config is None:
                return node
        try:
            node.told = told_by(node.type, spec.id, node.config)
        except NodeError as error:
            self.problems.append(node.problem("InvalidValue", "type", f"{error.message}."))
            node.config = None
            return node
        node.fields = tuple(fields_of(node.config, place))
        return node

    def _unknown_type(self, node: NodeSubject) -> Problem:
        known = self.world.names("node_type")
        cure = did_you_mean(node.spec.type, known) or f" Installed are: {one_of(known)}."
        return node.problem("UnknownNodeType", "type", f'No node type "{node.spec.type}".{cure}')


def _asked(node: NodeSubject, problem: Problem) -> str | None:
    """Return what people are told of a field that says nothing yet, by the name in its form."""
    if problem.code != "MissingField" or node.type is None:
        return None
    info = node.type.Config.model_fields.get(problem.path.rpartition(".config.")[2])
    return f"{node.label} needs: {info.title}." if info is not None and info.title else None


def field_title(node: NodeSubject, problem: Problem) -> str | None:
    """Return what the form calls the field that a problem is about; None where it is no field of the config."""
    name = problem.path.rpartition(".config.")[2]
    info = node.type.Config.model_fields.get(name) if node.type is not None else None
    return None if info is None else info.title or name.replace("_", " ").capitalize()


def _known_part(type_: NodeType, spec: NodeSpec, error: ValidationError) -> NodeConfig | None:
    """Return a config without the fields that do not exist; None where that is not all of it."""
    raw = thaw(spec.config)
    places = places_of(error, raw)
    if not all(places.values()):
        return None
    for *around, name in places:
        inside = raw
        for part in around:
            inside = inside[part]
        inside.pop(name, None)
    try:
        return read_config(type_, raw)
    except ValidationError:
        return None
