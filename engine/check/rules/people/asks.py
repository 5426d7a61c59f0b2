"""Calls of agents that people decide on: the tools, the conditions, and who may decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.agents.asked_calls import ask_of
from engine.check.rules.people.approvals import DEFAULTS, in_time, short_of_people
from engine.check.rules.tools import problem_of
from engine.check.subject import NodeSubject, Subject
from engine.core.expressions.cel import ExpressionInvalid, compile_expression
from engine.core.graph.call_asks import EVERY_TOOL, NAMES, CallAsk
from engine.core.graph.document import AgentSpec
from engine.core.graph.problems import Problem, one_of
from engine.core.values.effort import COMPILED, charge
from engine.integrations.tools.protocol import ToolSpec

ONLY: Final[Mapping[str, str]] = {
    "first": "people are asked only the first time in a run",
    "expression": "people are asked only under a condition",
}


def find(subject: Subject) -> Iterator[Problem]:
    """Yield what is wrong with the rules of the document's agents, and with those it uses."""
    for index, agent in enumerate(subject.spec.agents):
        for name, rule in agent.ask.items():
            for field, code, message in _faults(subject, name, rule):
                place = f"agents[{index}].ask.{name}" + (f".{field}" if field else "")
                yield Problem.of(code, place, message)
    for node in subject.nodes:
        for found, agent_id, used in subject.agents_of(node):
            if used is not None and used is not subject.spec.agents_by_id.get(agent_id):
                yield from _of_workspace(subject, node, found.path, used)


def _of_workspace(
    subject: Subject, node: NodeSubject, place: str, agent: AgentSpec
) -> Iterator[Problem]:
    """Yield who is missing for the rules of a workspace's agent, at the node that uses it."""
    for name, rule in agent.ask.items():
        short = _short(subject, rule)
        if short is not None:
            message = f'Before "{name}" is called: {short[1]}'
            yield Problem.of("NobodyMayDecide", place, message, node=node.id)


def _faults(subject: Subject, name: str, rule: CallAsk) -> Iterator[tuple[str, str, str]]:
    """Yield field, code and message of each fault of a rule."""
    fault = None if name == EVERY_TOOL else problem_of(subject, name)
    if fault is not None:
        yield "", fault[0], fault[1]
    if rule.expression is not None:
        yield from _expression(rule.expression)
    for argument in rule.editable:
        if argument != EVERY_TOOL and not _takes(subject, name, argument):
            message = f'No tool "{name}" takes an argument "{argument}" that could be edited.'
            yield "editable", "NotEditable", message
    short = _short(subject, rule)
    if short is not None:
        yield short[0], "NobodyMayDecide", short[1]


def _expression(text: str) -> Iterator[tuple[str, str, str]]:
    charge(COMPILED)
    try:
        references = compile_expression(text, NAMES).references
    except ExpressionInvalid as error:
        yield "expression", "ExpressionInvalid", f"{error.message}."
        return
    for reference in references:
        if reference.path[0] not in NAMES:
            message = (
                f'A condition of a call reads {one_of(NAMES)} only, not "{reference}": with it'
                " people would be asked each time."
            )
            yield "expression", "UnknownReference", message


def _takes(subject: Subject, name: str, argument: str) -> bool:
    """Return whether a tool may take the argument; one that says nothing of them takes any."""
    specs = subject.world.tool(name) if name != EVERY_TOOL else ()
    charge(len(specs))
    return not specs or any(_names(spec, argument) for spec in specs)


def _names(spec: ToolSpec, argument: str) -> bool:
    properties: Any = spec.parameters.get("properties")
    return not isinstance(properties, Mapping) or argument in properties


def _short(subject: Subject, rule: CallAsk) -> tuple[str, str] | None:
    if rule.when == "never":
        return None
    policy = in_time({**DEFAULTS, **rule.policy}, rule.timeout_ms)
    return short_of_people(policy, subject.world.people())


def asked_when(subject: Subject, node: NodeSubject, spec: ToolSpec) -> str | None:
    """Return when people are asked before a node's agent calls a tool; None where one does not ask.

    It is `always` where each agent that the node may come to use asks always.
    """
    agents = [agent for _field, _id, agent in subject.agents_of(node)]
    budget = node.spec.budget
    if budget is not None and budget.fallback_agent_id is not None:
        agents.append(subject.agent(budget.fallback_agent_id))
    charge(len(agents))
    found = [None if agent is None else ask_of(agent.ask, spec) for agent in agents]
    said = [None if rule is None or rule.when == "never" else rule.when for rule in found]
    if not said or None in said:
        return None
    return next((when for when in said if when != "always"), "always")
