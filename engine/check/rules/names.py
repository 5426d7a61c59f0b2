"""Names that lead nowhere: nodes, agents, handlers, tools, graphs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from engine.check.fields import FieldValue
from engine.check.subject import NodeSubject, Subject
from engine.check.world import Kind
from engine.core.graph.cures import Cure
from engine.core.graph.document import GraphSpec
from engine.core.graph.fields import END, START
from engine.core.graph.problems import Problem, did_you_mean, json_path, nearest, one_of
from engine.core.node_types.registry import FITNESS

_OPEN_MODELS: Final = Cure("Open the models", (), settings="models")
"""Keys and servers are the workspace's: no edit of the document adds one."""


def find(subject: Subject) -> Iterator[Problem]:
    """Yield unknown names, nodes that name themselves, and circles of graphs."""
    yield from _edge_ends(subject)
    for node in subject.nodes:
        yield from _nodes(subject, node)
        yield from _agents(subject, node)
        for found in node.with_widget("handler"):
            fits = found.hint("fitness") and FITNESS.find(found.value) is not None
            if not fits and not subject.world.handler(found.value):
                yield _unknown(subject, node, "UnknownHandler", found, "handler")
        for found in node.with_widget("tool"):
            if not subject.world.tool(found.value):
                yield _unknown(subject, node, "ToolNotFound", found, "tool")
        for found in node.with_widget("graph"):
            yield from _graph(subject, node, found)


def _edge_ends(subject: Subject) -> Iterator[Problem]:
    known = subject.spec.nodes_by_id
    for edge in subject.spec.edges:
        for end, reserved in (("source", START), ("target", END)):
            name = getattr(edge, end)
            if name != reserved and name not in known:
                other = edge.target if end == "source" else edge.source
                message = (
                    f'There is no node "{name}".{_cure(name, [n for n in known if n != other])}'
                )
                ends = _start_or_end(subject.label(other))
                wire = f"The wire {'to' if end == 'source' else 'from'} {ends}"
                say = f"{wire} has no node at its other end.{_near(subject, name, other)}"
                yield subject.edge_problem("UnknownNode", edge, end, message).mended(say)


def _nodes(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    known = subject.spec.nodes_by_id
    for found in node.with_widget("node", "nodes"):
        for place, name in found.texts():
            if name not in known:
                others = [other for other in known if other != node.id]
                message = f'There is no node "{name}".{_cure(name, others)}'
                say = f"{node.label} names a node that is not there.{_near(subject, name, node.id)}"
                yield node.at("UnknownNode", json_path(place), message).mended(say)
            elif name == node.id:
                message = "A node cannot name itself here: name another node."
                yield node.at("InvalidValue", json_path(place), message)


def _agents(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    known = {*subject.spec.agents_by_id, *subject.world.names("agent")}
    for found in node.with_widget("agent", "agents"):
        for place, name in found.texts():
            if subject.agent(name) is None:
                yield _no_agent(node, json_path(place), name, known)
    for found, agent_id, agent in subject.agents_of(node):
        model = getattr(node.config, "model", None) or (agent.model if agent else None)
        if model == "local/default" and not subject.world.default_model_known():
            message = (
                f'Agent "{agent_id}" uses the workspace\'s default model, and there is none:'
                " set one in the settings, or give the agent a model."
            )
            say = (
                f"{node.label} uses the workspace's default model, and there is none:"
                " choose one in the settings, or a model here."
            )
            yield node.at("InvalidValue", found, message).mended(say, _OPEN_MODELS)
    yield from _models(subject, node)
    fallback = node.spec.budget.fallback_agent_id if node.spec.budget else None
    if fallback is not None and subject.agent(fallback) is None:
        yield _no_agent(node, f"{node.path}.budget.fallback_agent_id", fallback, known)


def _models(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    """Yield models that the workspace does not have: the node's own, and those of its agents."""
    own = getattr(node.config, "model", None)
    if own is not None:
        why = subject.world.model_problem(own)
        if why is not None:
            problem = node.at("UnknownModel", f"{node.path}.config.model", _sentence(why))
            yield problem.mended(_sentence(why), _OPEN_MODELS)
        return
    for found, agent_id, agent in subject.agents_of(node):
        why = subject.world.model_problem(agent.model) if agent else None
        if why is not None:
            problem = node.at("UnknownModel", found, f'Agent "{agent_id}": {_sentence(why)}')
            say = _sentence(why) if agent_id == node.id else None
            yield replace(problem, say=say, fixes=(_OPEN_MODELS,))


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _no_agent(node: NodeSubject, path: str, name: str, known: Collection[str]) -> Problem:
    message = f'There is no agent "{name}" in this workflow or the workspace.{_cure(name, known)}'
    return node.at("UnknownAgent", path, message)


def _unknown(
    subject: Subject, node: NodeSubject, code: str, found: FieldValue, kind: Kind
) -> Problem:
    cure = _cure(str(found.value), subject.world.names(kind))
    return node.at(code, found, f'There is no {kind} "{found.value}".{cure}')


def _near(subject: Subject, name: str, but: str) -> str:
    """Return ` Did you mean "Review"?` where an id is nearly one of another node, by what people call it."""
    close = nearest(name, [other for other in subject.by_id if other != but])
    return f' Did you mean "{subject.label(close)}"?' if close is not None else ""


def _start_or_end(name: str) -> str:
    return {START: "Start", END: "the end"}.get(name, name)


def _cure(name: str, known: Collection[str]) -> str:
    others = f" Known are: {one_of(known)}." if known else ""
    return did_you_mean(name, known) or others


def _graph(subject: Subject, node: NodeSubject, found: FieldValue) -> Iterator[Problem]:
    if found.value == subject.spec.id:
        message = "The graph would run itself without end: name another graph."
        yield node.at("SubgraphCycle", found, message)
    elif subject.world.graph(found.value) is None:
        yield _unknown(subject, node, "GraphNotFound", found, "graph")
    elif (round_ := circle(subject, found.value)) is not None:
        message = f"The graphs run each other in a circle: {' → '.join(round_)}."
        yield node.at("SubgraphCycle", found, message)


def circle(subject: Subject, first: str) -> list[str] | None:
    """Return the way from this graph over another one back to it, None if there is none."""
    home = subject.spec.id
    trails = [[home, first]]
    seen = {first}
    while trails:
        trail = trails.pop()
        graph = subject.world.graph(trail[-1])
        for inner in _graphs_in(subject, graph) if graph else ():
            if inner == home:
                return [*trail, home]
            if inner not in seen:
                seen.add(inner)
                trails.append([*trail, inner])
    return None


def _graphs_in(subject: Subject, graph: GraphSpec) -> Iterator[str]:
    for inner in Subject(graph, subject.world).nodes:
        for found in inner.with_widget("graph"):
            yield found.value
