"""The checks of joins and of parallel branches in their plain form, to compare with.

Each join walks all forks by itself, and each branch of each fork is walked by itself.
"""

from __future__ import annotations

from typing import Any

from engine.check.access import root
from engine.check.paths import ways
from engine.check.paths.reach import Successors, reach
from engine.check.subject import NodeSubject, Subject
from engine.core.graph.fields import START

_LOST = {"failed", "rejected", "timed_out"}


def gains(node: NodeSubject) -> set[str]:
    """Return what holds once a node has completed."""
    keys = (*node.write_keys, *node.own_keys, *node.granted("write"))
    return {f"outputs.{node.id}", *(f"memory.{root(key)}" for key in keys)}


def certain(subject: Subject, name: str) -> tuple[str, ...] | None:
    """Return where a node always leads, None where it may leave no result."""
    edges = subject.spec.edges_from(name)
    if any(edge.on in _LOST for edge in edges):
        return None
    if any(edge.conditional or edge.trigger or edge.on != "completed" for edge in edges):
        return ()
    return tuple(edge.target for edge in edges if edge.target in subject.by_id)


def joined(subject: Subject, name: str, found: set[str]) -> set[str]:
    """Return `found` and what the parallel branches did that a join waits for."""
    if subject.by_id[name].spec.join == "any" or len(subject.spec.edges_to(name)) < 2:
        return found
    leads = ways.successors(subject)
    forks = [(START, ways.entries(subject))]
    forks += [(n.id, certain(subject, n.id) or ()) for n in subject.nodes]
    stack = [
        target
        for fork, targets in forks
        if len(targets) > 1 and (fork == START or f"outputs.{fork}" in found)
        for target in targets
    ]
    added, seen = set(found), set()
    while stack:
        branch = stack.pop()
        if branch in seen or branch == name or name not in reach(leads, [branch]):
            continue
        seen.add(branch)
        targets = certain(subject, branch)
        if targets is not None:
            added |= gains(subject.by_id[branch])
            stack += targets
    return added


def before(subject: Subject) -> dict[str, set[str]]:
    """Return what certainly holds when a node starts, for each node a run can reach."""
    entries = ways.entries(subject)
    reached = reach(ways.successors(subject), entries)
    everything = {label for node in subject.nodes for label in gains(node)}
    sources: dict[str, list[tuple[str, bool]]] = {name: [] for name in subject.by_id}
    for node in subject.nodes:
        for edge in subject.spec.edges_from(node.id):
            if edge.target in sources:
                sources[edge.target].append((node.id, edge.on not in _LOST))
        for child in node.children:
            sources[child].append((node.id, child in node.followed))
    holds = {name: set(everything) for name in reached}
    changed = True
    while changed:
        changed = False
        for name in sorted(reached):
            found = set() if name in entries else set(everything)
            for source, gained in sources[name]:
                if source in holds:
                    found &= holds[source] | (gains(subject.by_id[source]) if gained else set())
            found = joined(subject, name, found)
            changed = changed or found != holds[name]
            holds[name] = found
    return holds


def collisions(
    leads: Successors, forks: list[tuple[str, list[str]]], writers: dict[str, list[str]]
) -> list[tuple[str, str, str]]:
    """Return key, earlier and later node of what runs on different branches, each once."""
    found: list[tuple[str, str, str]] = []
    reported: set[Any] = set()
    for fork, targets in forks:
        masks: dict[str, int] = {}
        for bit, target in enumerate(dict.fromkeys(targets)):
            for name in reach(leads, [target], fork.__ne__):
                masks[name] = masks.get(name, 0) | 1 << bit
        for key, nodes in writers.items():
            for place, second in enumerate(nodes):
                mine = masks.get(second, 0)
                for first in nodes[:place]:
                    other = masks.get(first, 0)
                    if mine & ~other and other & ~mine:
                        if (key, second) not in reported:
                            reported.add((key, second))
                            found.append((key, first, second))
                        break
    return found
