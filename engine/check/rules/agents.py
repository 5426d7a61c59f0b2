"""Advice and warnings about nodes that run agents, and about what people are told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engine.check.subject import NodeSubject, Subject
from engine.core.effects import EffectClass
from engine.core.graph.problems import Problem

_REFERENCE: Final = re.compile(
    r"\{\{ {0,8}(?:input|memory|outputs|metadata|context|previous)\b[^{}\n]{0,60}(?:\}\})?"
)
"""What would be a value in the prompt of a node."""


def find(subject: Subject) -> Iterator[Problem]:
    """Yield settings without effect, agents that branch, and nodes without a description."""
    yield from _unrendered(subject)
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
            message = (
                f"{found[0].strip()} is sent to the model as it stands: what an agent is told always"
                " has no values in it. Put it into the prompt of the step that runs the agent."
            )
            yield Problem.of("PromptNotRendered", f"agents[{index}].system_prompt", message)


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
