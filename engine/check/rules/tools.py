"""The tools that agents are given (rows V8 to V11)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Cure
from engine.core.graph.problems import Problem, did_you_mean, json_path, one_of
from engine.core.values.effort import charge
from engine.integrations.tools.protocol import RESERVED_TOOL_NAMES

BUILT_IN = frozenset({"memory_write"})
"""Tools that every agent may list."""


def find(subject: Subject) -> Iterator[Problem]:
    """Yield control tools, unknown tools, removals of what is not there, models that take none."""
    for index, agent in enumerate(subject.spec.agents):
        for position, name in enumerate(agent.tools):
            fault = _fault(subject, name)
            if fault is not None:
                yield Problem.of(fault[0], f"agents[{index}].tools[{position}]", fault[1])
            elif (off := switched_off(subject, name)) is not None:
                path = f"agents[{index}].tools[{position}]"
                yield _opened(subject, Problem.of("ToolOff", path, off), name)
    for node in subject.nodes:
        for found in node.with_widget("tools"):
            for place, entry in found.texts():
                yield from _entry(subject, node, json_path(place), entry)
        for found in node.with_widget("tool"):
            off = switched_off(subject, found.value)
            if off is not None:
                yield _opened(subject, node.at("ToolOff", found.path, off), found.value)
        yield from _off_elsewhere(subject, node)
        yield from _toolless(subject, node)


def _toolless(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    """Yield agents that are offered tools although their model takes none: the first call fails."""
    own = getattr(node.config, "model", None)
    for found, _agent_id, agent in subject.agents_of(node):
        model = own or (agent.model if agent else None)
        if model is None or subject.world.takes_tools(model):
            continue
        offered = offered_to(subject, node)
        if offered:
            message = (
                f'The model "{model}" takes no tools, and these are offered to it:'
                f" {one_of(offered)}. Choose another model, or let this step have no tools."
            )
            path = f"{node.path}.config.model" if own else found
            yield node.at("ModelTakesNoTools", path, message)


def _entry(subject: Subject, node: NodeSubject, path: str, entry: str) -> Iterator[Problem]:
    name = entry.lstrip("+-") if entry[:1] in "+-" else entry
    if entry.startswith("-"):
        if not _is_there(subject, name, [*default_set(subject, node), *_listed(node)]):
            message = f'"{name}" is not among the agent\'s tools, so there is nothing to remove.'
            yield node.at("ToolNotInDefaultSet", path, message)
        return
    fault = _fault(subject, name)
    if fault is not None:
        yield node.at(fault[0], path, fault[1])
    elif (off := switched_off(subject, name)) is not None:
        yield _opened(subject, node.at("ToolOff", path, off), name)


def _off_elsewhere(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    """Yield tools that are off of agents that stand in the workspace, where a node uses them."""
    for path, agent_id, agent in subject.agents_of(node):
        if agent is None or agent_id in subject.spec.agents_by_id:
            continue
        charge(1 + len(agent.tools))
        for name in agent.tools:
            off = switched_off(subject, name)
            if off is not None:
                message = f'The agent "{agent_id}" has it: {off}'
                yield _opened(subject, node.at("ToolOff", path, message), name)


def _opened(subject: Subject, problem: Problem, name: str) -> Problem:
    """Return the problem with a way to the tool, where it is switched on."""
    tool = subject.world.tool(name)[0].full_name
    return replace(problem, fixes=(Cure("Open the tool", (), tool=tool),))


def switched_off(subject: Subject, name: str) -> str | None:
    """Return what to say of a name whose tools are all switched off; None for any other."""
    found = subject.world.tool(name)
    if not found or not all(subject.world.tool_is_off(tool.full_name) for tool in found):
        return None
    return f'"{name}" is switched off. Switch it on under Settings, Tools, or take it out here.'


def problem_of(subject: Subject, name: str) -> tuple[str, str] | None:
    """Return code and message of a name that leads to no tool, None where it leads to one."""
    return _fault(subject, name)


def _is_there(subject: Subject, name: str, given: list[str]) -> bool:
    """Return whether a name, or the tool that it means, is among those given."""
    if name in given:
        return True
    wanted = {(tool.source, tool.name) for tool in subject.world.tool(name)}
    there = {(t.source, t.name) for entry in given for t in subject.world.tool(entry)}
    return bool(wanted) and wanted <= there


def _fault(subject: Subject, name: str) -> tuple[str, str] | None:
    if name.rpartition("/")[2] in RESERVED_TOOL_NAMES:
        message = f'"{name}" would control the run; no agent is ever offered it: remove it.'
        return "ReservedToolName", message
    if name in BUILT_IN or name in subject.world.skills() or subject.world.tool(name):
        return None
    silent = subject.world.source_problem(name.partition("/")[0]) if "/" in name else None
    if silent is not None:
        return "ToolNotFound", f'"{name}" cannot be looked up: {silent}.'
    known = {*subject.world.names("tool"), *subject.world.skills(), *BUILT_IN}
    cure = did_you_mean(name, known) or f" Known are: {one_of(known)}."
    return "ToolNotFound", f'There is no tool "{name}".{cure}'


def default_set(subject: Subject, node: NodeSubject) -> list[str]:
    """Return the tools of a node that lists none: its agents' and the workspace's skills."""
    agents = list(subject.agents_of(node))
    own = [name for _f, _id, agent in agents if agent for name in agent.tools]
    charge(len(agents) + len(own))
    return [*own, *subject.world.skills()] if agents else own


def _listed(node: NodeSubject) -> list[str]:
    entries = [text for f in node.with_widget("tools") for _place, text in f.texts()]
    return [entry.removeprefix("+") for entry in entries if not entry.startswith("-")]


def offered_to(subject: Subject, node: NodeSubject) -> list[str]:
    """Return the names of the tools that a node's agent may come to call (rows V9, V10)."""
    names = default_set(subject, node)
    for found in node.with_widget("tools"):
        entries = [text for _place, text in found.texts()]
        plain = [entry for entry in entries if entry[:1] not in ("+", "-")]
        if plain or not entries:
            names = plain
        names = [*names, *(entry[1:] for entry in entries if entry.startswith("+"))]
        removed = {entry[1:] for entry in entries if entry.startswith("-")}
        names = [name for name in names if name not in removed]
    return _with_unlocked(subject, names)


def _with_unlocked(subject: Subject, names: list[str]) -> list[str]:
    """Return the names and what the skills among them lead to, in turn."""
    found = dict.fromkeys(names)
    waiting = deque(found)
    while waiting:
        for name in subject.world.unlocked(waiting.popleft()):
            if name not in found:
                found[name] = None
                waiting.append(name)
    return list(found)
