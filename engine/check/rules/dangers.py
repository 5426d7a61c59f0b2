"""Dangerous steps, and a way to each of them that passes neither an approval nor a verifier."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from engine.check.paths import ways
from engine.check.paths.joined import Joins
from engine.check.paths.reach import reach
from engine.check.paths.verdicts import open_edges
from engine.check.rules.people.asks import ONLY, asked_when
from engine.check.rules.tools import offered_to
from engine.check.subject import NodeSubject, Subject
from engine.check.world import World
from engine.core.effects import EffectClass
from engine.core.graph.document import EdgeSpec
from engine.core.graph.fields import START
from engine.core.values.effort import charge
from engine.core.values.json import JsonObject

Kind: TypeAlias = Literal["unsafe", "keyed", "marked"]
MARK: Final = "dangerous"
"""The key of a node's `metadata` by which an author marks it."""
STEP: Final = 20
"""Units of effort of a step of a way: each is a name in the answer, of each dangerous node."""
_KINDS: Final[Mapping[EffectClass, Kind]] = {
    EffectClass.UNSAFE: "unsafe",
    EffectClass.KEYED: "keyed",
    EffectClass.PROBE: "keyed",
}
_SAID: Final[Mapping[Kind, str]] = {
    "unsafe": "is unsafe to repeat",
    "keyed": "changes something outside",
}


@dataclass(frozen=True, slots=True)
class Way:
    """A way from the start: node ids in order, and the ids of the edges that were drawn for it.

    A step that a config leads to (a worker, a peer) has no edge.
    """

    nodes: tuple[str, ...]
    edges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Danger:
    """A step that nobody should reach by accident. `way` is an unguarded way, None if guarded."""

    node: str
    kind: Kind
    why: str
    way: Way | None

    def to_json(self) -> JsonObject:
        """Return the form that the API sends."""
        way: JsonObject | None = None
        if self.way is not None:
            way = {"nodes": list(self.way.nodes), "edges": list(self.way.edges)}
        return {"node": self.node, "kind": self.kind, "why": self.why, "way": way}


class Known(NamedTuple):
    """What is dangerous about a node; `asked`: people decide on each such call of its agent."""

    kind: Kind
    why: str
    asked: bool = False


def dangers(subject: Subject) -> tuple[Danger, ...]:
    """Return the dangerous steps that a run can reach, in document order."""
    return tuple(_dangers(subject, {subject.spec.id: None}))


def danger_at(subject: Subject, node_id: str) -> Known | None:
    """Return what is dangerous about one node, wherever it stands; None if nothing is known."""
    node = subject.by_id.get(node_id)
    return None if node is None else _danger(subject, node, {subject.spec.id: None})


_Inner: TypeAlias = "dict[str, Known | None]"
"""What is dangerous about each graph that others run, once it is known; None inside of itself."""


def _dangers(subject: Subject, inner: _Inner) -> Iterator[Danger]:
    found = [
        (node, danger)
        for node in subject.nodes
        if not node.spec.disabled and (danger := _danger(subject, node, inner))
    ]
    if not found:
        return
    reached = reach(ways.successors(subject), ways.entries(subject))
    came = _came(_unguarded_steps(subject))
    for node, known in found:
        if node.id in reached:
            way = None if known.asked else _way_to(came, node.id)
            yield Danger(node.id, known.kind, known.why, way)


def _danger(subject: Subject, node: NodeSubject, inner: _Inner) -> Known | None:
    """Return what is dangerous about a node, None if nothing is known to be."""
    runs_graphs = any(node.with_widget("graph"))
    found = _of_graphs(subject, node, inner) if runs_graphs else _effect(subject, node)
    if (found is None or found[0] == "keyed") and node.spec.metadata.get(MARK) is True:
        return Known("marked", "This step is marked as dangerous")
    return found


def _effect(subject: Subject, node: NodeSubject) -> Known | None:
    if node.type is None or node.config is None:
        return None
    called = [f.value for f in node.with_widget("tool") if len(f.place) == 4]
    if called:
        kind = _worst(subject, called)
        return None if kind is None else Known(kind[0], f'The tool "{kind[1]}" {_SAID[kind[0]]}')
    kind_ = None if node.effect is None else _KINDS.get(node.effect)
    if kind_ is not None and not node.type.remembers:
        return Known(kind_, f"This step has an effect that {_SAID[kind_]}")
    return _offered(subject, node)


def _offered(subject: Subject, node: NodeSubject) -> Known | None:
    """Return the worst of what a node's agent may call: first of what people are not always asked."""
    free: list[Known] = []
    asked: list[Known] = []
    for name in offered_to(subject, node):
        charge(1)
        for tool in subject.world.tool(name):
            kind = _KINDS.get(tool.effect_class)
            if kind is None:
                continue
            when = asked_when(subject, node, tool)
            said = f'The agent may call the tool "{name}", which {_SAID[kind]}'
            if when == "always":
                asked.append(Known(kind, f"{said}; people decide on each call", asked=True))
            else:
                free.append(Known(kind, said if when is None else f"{said}, and {ONLY[when]}"))
    return next((one for one in free if one.kind == "unsafe"), None) or next(
        (one for one in (*free, *asked)), None
    )


def _worst(subject: Subject, names: list[str]) -> tuple[Kind, str] | None:
    """Return the first unsafe tool among the names, else the first keyed one."""
    keyed = None
    charge(len(names))
    for name in names:
        classes = {tool.effect_class for tool in subject.world.tool(name)}
        if EffectClass.UNSAFE in classes:
            return "unsafe", name
        if keyed is None and classes & {EffectClass.KEYED, EffectClass.PROBE}:
            keyed = name
    return None if keyed is None else ("keyed", keyed)


def _of_graphs(subject: Subject, node: NodeSubject, inner: _Inner) -> Known | None:
    """Return the danger of a graph that the node runs, where nothing inside guards it."""
    for found in node.with_widget("graph"):
        name = str(found.value)
        if name not in inner:
            inner[name] = None
            inner[name] = _of_graph(subject.world, name, inner)
        if (danger := inner[name]) is not None:
            return danger
    return None


def _of_graph(world: World, name: str, inner: _Inner) -> Known | None:
    graph = world.graph(name)
    if graph is None:
        return None
    for danger in _dangers(Subject(graph, world), inner):
        if danger.way is not None and danger.kind != "keyed":
            return Known(danger.kind, f'The graph "{graph.name or graph.id}" has a dangerous step')
    return None


_Step: TypeAlias = tuple[str, str | None]
"""A target and the id of the edge that leads there."""


def _unguarded_steps(subject: Subject) -> dict[str, list[_Step]]:
    """Return where each node leads without a guard: not to a join that waits for an approval."""
    steps = _steps(subject)
    joins = Joins(subject)
    while guarded := joins.guarded(_reached(steps)):
        for name, leads in steps.items():
            steps[name] = [step for step in leads if step[0] not in guarded]
    return steps


def _reached(steps: Mapping[str, list[_Step]]) -> set[str]:
    return reach({name: tuple(s[0] for s in leads) for name, leads in steps.items()}, [START])


def _steps(subject: Subject) -> dict[str, list[_Step]]:
    """Return where each node leads: not on from an approval or a pass."""
    known = subject.by_id
    steps: dict[str, list[_Step]] = {START: _entry_steps(subject)}
    for node in subject.nodes:
        drawn = [(edge.target, edge.key) for edge in _ways_out(subject, node)]
        led = [(name, None) for name in node.children]
        steps[node.id] = [(name, edge) for name, edge in (*drawn, *led) if name in known]
    return steps


def _entry_steps(subject: Subject) -> list[_Step]:
    drawn: list[_Step] = [
        (e.target, e.key) for e in subject.spec.edges_from(START) if e.target in subject.by_id
    ]
    return drawn or [(name, None) for name in ways.entries(subject)]


def _ways_out(subject: Subject, node: NodeSubject) -> list[EdgeSpec]:
    edges = list(subject.spec.edges_from(node.id))
    if node.spec.disabled:
        return edges
    if node.is_gate:
        return [edge for edge in edges if edge.on != "completed"]
    refused: Any = (
        None
        if node.type is None or node.config is None
        else node.type.verdict_of(node.id, node.config)
    )
    takes_all = node.spec.branching == "all"
    return edges if refused is None else open_edges(edges, refused, takes_all=takes_all)


def _came(steps: Mapping[str, list[_Step]]) -> dict[str, _Step]:
    """Return whence the shortest way from the start comes to each node that it leads to."""
    came: dict[str, _Step] = {}
    queue = deque([START])
    while queue:
        name = queue.popleft()
        for following, edge in steps.get(name, ()):
            if following not in came:
                came[following] = (name, edge)
                queue.append(following)
    return came


def _way_to(came: Mapping[str, _Step], target: str) -> Way | None:
    """Return the shortest way, None if there is none."""
    if target not in came:
        return None
    nodes, edges = [target], []
    while nodes[-1] != START:
        name, edge = came[nodes[-1]]
        charge(STEP)
        nodes.append(name)
        if edge is not None:
            edges.append(edge)
    return Way(tuple(nodes[-2::-1]), tuple(edges[::-1]))
