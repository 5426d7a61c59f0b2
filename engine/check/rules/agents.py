"""Advice and warnings about nodes that run agents, and about what people are told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import chain, count
from typing import Final

from engine.check.subject import NodeSubject, Subject
from engine.core.effects import EffectClass
from engine.core.graph.cures import Cure, Edit
from engine.core.graph.problems import Location, Problem, json_path

_REFERENCE: Final = re.compile(
    r"\{\{ {0,8}(?:input|memory|outputs|metadata|context|previous)\b[^{}\n]{0,60}(?:\}\})?"
)
"""What would be a value in the prompt of a node."""
_AS_IT_STANDS: Final = (
    "is sent to the model as it stands: what an agent is told always has no values in it."
)
_CURE: Final = "Put it into the prompt of the step that runs the agent."


def find(subject: Subject) -> Iterator[Problem]:
    """Yield settings without effect, agents that branch, and nodes without a description."""
    yield from _unrendered(subject)
    yield from _shadowed(subject)
    for node in subject.nodes:
        yield from _query(node)
        yield from _agent_edges(subject, node)
        if not node.spec.human_description.strip():
            message = "Say in plain words what happens here, for people who watch a run."
            yield node.problem("NoHumanDescription", "human_description", message)


def _unrendered(subject: Subject) -> Iterator[Problem]:
    for index, agent in enumerate(subject.spec.agents):
        found = _REFERENCE.search(agent.system_prompt)
        if found is not None:
            message = f"{found[0].strip()} {_AS_IT_STANDS} {_CURE}"
            yield Problem.of("PromptNotRendered", f"agents[{index}].system_prompt", message)
    yield from _unrendered_of_others(subject)


def _unrendered_of_others(subject: Subject) -> Iterator[Problem]:
    """Yield the workspace's agents that steps run, each at the first step that names it."""
    looked_at: set[str] = set()
    for node in subject.nodes:
        for at, agent_id, _agent in subject.agents_of(node):
            if agent_id in looked_at:
                continue
            looked_at.add(agent_id)
            shared = subject.world.agent(agent_id)
            if shared is None or shared == subject.spec.agents_by_id.get(agent_id):
                continue
            found = _REFERENCE.search(shared.system_prompt)
            if found is not None:
                message = (
                    f'The agent "{agent_id}" of the workspace is always told {found[0].strip()},'
                    f" which {_AS_IT_STANDS} {_CURE}"
                )
                yield node.at("PromptNotRendered", at, message)


def _shadowed(subject: Subject) -> Iterator[Problem]:
    """Yield steps in whose place an agent of the workspace runs that has the id of their own.

    What several steps name came with a document, and is meant to give way to the workspace's.
    """
    own = subject.spec.agents_by_id
    shadowed = [n for n in subject.nodes if n.id in own and _is_of_others(subject, n.id)]
    if not shadowed:
        return
    naming = Counter(name for n in subject.nodes for name in {name for _, name in n.agent_names})
    taken = {*own, *subject.world.names("agent"), *subject.by_id}
    index = {agent.id: at for at, agent in enumerate(subject.spec.agents)}
    for node in shadowed:
        places = [place for place, name in node.agent_names if name == node.id]
        if not places or naming[node.id] > 1:
            continue
        message = (
            f'The agent "{node.id}" of this workflow never runs: the workspace has one of that id,'
            " which wins."
        )
        say = f"An agent of the workspace that is called alike runs in place of {node.label}'s own."
        problem = node.at("AgentShadowed", json_path(places[0]), message)
        yield problem.mended(say, _kept(node.id, index[node.id], places, taken))


def _is_of_others(subject: Subject, agent_id: str) -> bool:
    """Return whether the workspace has an agent of this id that is not the document's."""
    return subject.world.agent(agent_id) not in (None, subject.spec.agents_by_id[agent_id])


def _kept(node_id: str, index: int, places: Sequence[Location], taken: Container[str]) -> Cure:
    """Return the cure that gives the node's own agent an id that nobody has."""
    tries = chain([f"{node_id}-own"], (f"{node_id}-own-{number}" for number in count(2)))
    fresh = next(name for name in tries if name not in taken)
    named = (Edit("node", node_id, place[2:], fresh) for place in places)
    return Cure("Keep the node's own", (Edit("graph", "", ("agents", index, "id"), fresh), *named))


def _query(node: NodeSubject) -> Iterator[Problem]:
    if node.spec.memory_query is None or node.type is None:
        return
    if not node.type.prompts:
        message = f'A node of type "{node.spec.type}" has no prompt that facts could be put before.'
    elif node.effect is EffectClass.PURE:
        message = "This node runs no agent, so there is no prompt that facts could be put before."
    else:
        return
    yield node.problem("MemoryQueryIgnored", "memory_query", message)


def _agent_edges(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    chosen = [edge for edge in subject.spec.edges_from(node.id) if edge.trigger == "agent"]
    if len(chosen) > 1:
        message = (
            f"The agent chooses among {len(chosen)} ways. Branching that a condition can decide"
            " belongs in a router after it."
        )
        yield node.problem("ManyAgentEdges", "", message)
