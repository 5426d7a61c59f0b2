"""What of a run holds for another draft: which activations are kept, and why the others are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.agents.pinning import definition_of
from engine.core.errors import RequestRefused
from engine.core.ports import GraphSource
from engine.core.state.events import Event
from engine.core.state.program import Program
from engine.runtime.forks.points import undone_keys
from engine.runtime.forks.stale.begun import begun_anew
from engine.runtime.forks.stale.blocks import Block, blocks, until_ending
from engine.runtime.forks.stale.definitions import Agents, agents_named, changed_parts, definition
from engine.runtime.forks.stale.left import Left, NotKept
from engine.runtime.forks.stale.pins import gave_it
from engine.runtime.forks.stale.walk import Walk

MOST_EVENTS: Final = 10_000
"""A longer log is not compared: that takes about a second."""
_MOST_WALKED: Final = 50_000
"""Events in all walks together: each node that turns out to be different begins one anew."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What is compared with a run: a graph, its agents by id as they are now, what is pinned."""

    program: Program
    agents: Agents
    pins: Mapping[str, Any]


async def draft_of(
    graphs: GraphSource, workspace_id: str | None, program: Program, pins: Mapping[str, Any]
) -> Draft:
    """Return a graph with the agents that its nodes would use now; the workspace's win."""
    names = {name for node in program.spec.nodes for name in agents_named(node)}
    agents: dict[str, Any] = {}
    for name in sorted(names):
        spec = await graphs.find_agent(name, workspace_id) or program.spec.agents_by_id.get(name)
        if spec is not None:
            agents[name] = definition_of(spec)
    return Draft(program, agents, pins)


@dataclass(frozen=True, slots=True)
class Compared:
    """`kept` is what the new log begins with, in the words of the draft; `left` why not the rest.

    `changes` are the parts that differ by node, `waiting` whether a node is reached that never ran.
    """

    blocks: Mapping[str, Block]
    changes: Mapping[str, tuple[str, ...]]
    kept: tuple[Event, ...]
    left: Mapping[str, Left]
    waiting: bool


def compare(was: Program, events: Sequence[Event], draft: Draft, *, ask_again: bool) -> Compared:
    """Return what of a log holds for a draft. With `ask_again` no approval does, nor what follows it.

    Raises `RequestRefused`: `RunTooLong`, `InputInvalid`, `ForkNotPossible`.
    """
    if len(events) > MOST_EVENTS:
        raise RequestRefused("RunTooLong", "the run has too many steps to compare: run it again")
    started = events[0].data
    if started.get("only") is not None:
        raise RequestRefused("ForkNotPossible", "the run tried one node alone: compare another")
    told = until_ending(events)
    found = blocks(told)
    changes = _changes(was, events, draft, found)
    left = _left_at_once(found, changes, undone_keys(events), ask_again=ask_again)
    anew = begun_anew(started, was.spec, draft.program.spec)
    for _again in range(1 + _MOST_WALKED // max(1, len(told))):
        walk = Walk(was, draft.program, found, left)
        try:
            walk.go(told, anew)
        except NotKept as other:
            left[other.key] = other.left
            continue
        return Compared(found, changes, tuple(walk.kept), walk.left, walk.comes_to_new)
    raise RequestRefused("ForkNotPossible", "too much differs from this run: run it again")


def _changes(
    was: Program, events: Sequence[Event], draft: Draft, found: Mapping[str, Block]
) -> dict[str, tuple[str, ...]]:
    """Return what of each node's definition differs, by node of the draft; others are not named.

    A node that is pinned now at what it gave then is what it was, whatever its settings are.
    """
    ran = {agent.id: definition_of(agent) for agent in was.spec.agents}
    for event in events:
        if event.type == "AgentPinned":
            ran[event.data["agent_id"]] = event.data["definition"]
    pins = events[0].data.get("pins") or {}
    before = {node.id: definition(was, node, ran, pins) for node in was.spec.nodes}
    parts = {}
    for node in draft.program.spec.nodes:
        now, then = definition(draft.program, node, draft.agents, draft.pins), before.get(node.id)
        if then is not None and node.id in draft.pins and node.id not in pins:
            own = (block for block in found.values() if block.node == node.id)
            if gave_it(was, own, draft.pins[node.id]):
                then = {**now, "wires": then["wires"]}
        parts[node.id] = changed_parts(then, now)
    return {node: what for node, what in parts.items() if what}


def _left_at_once(
    found: Mapping[str, Block],
    changes: Mapping[str, tuple[str, ...]],
    undone: set[str],
    *,
    ask_again: bool,
) -> dict[str, Left]:
    left: dict[str, Left] = {}
    for key, block in found.items():
        inside = frozenset(block.nodes & changes.keys()) - {block.node}
        if block.node in changes:
            left[key] = Left("changed", parts=changes[block.node])
        elif inside:
            left[key] = Left("reads", inside)
        elif block.end is None or block.handed_over or key in undone:
            left[key] = Left("open")
        elif block.failed:
            left[key] = Left("failed")
        elif ask_again and block.approved:
            left[key] = Left("asks")
    return left
