"""Ways through a graph: what leads to what, and where a run enters."""

from __future__ import annotations

from engine.check.subject import Subject
from engine.core.graph.fields import START


def successors(subject: Subject) -> dict[str, tuple[str, ...]]:
    """Return where each node can lead: by edges and by what its config names."""
    known = subject.spec.nodes_by_id
    ways: dict[str, tuple[str, ...]] = {}
    for node in subject.nodes:
        targets = [edge.target for edge in subject.spec.edges_from(node.id)]
        found = dict.fromkeys((*targets, *node.children))
        ways[node.id] = tuple(name for name in found if name in known)
    return ways


def moves(subject: Subject) -> dict[str, tuple[str, ...]]:
    """Return where a token can go from each node; what a composite runs itself has none (C74)."""
    ways = successors(subject)
    return {
        node.id: tuple(name for name in ways[node.id] if name not in node.run_children)
        for node in subject.nodes
    }


def entries(subject: Subject) -> tuple[str, ...]:
    """Return where a run starts (row C191): none when it cannot be told."""
    known = subject.spec.nodes_by_id
    drawn = [e.target for e in subject.spec.edges_from(START) if e.target in known]
    if drawn:
        return tuple(dict.fromkeys(drawn))
    led_to = {edge.target for edge in subject.spec.edges if edge.source != edge.target}
    led_to |= {name for node in subject.nodes for name in node.children if name != node.id}
    loose = [node.id for node in subject.nodes if node.id not in led_to]
    return tuple(loose) if len(loose) == 1 else ()
