"""Loops in which a node that takes all that fit may go round and on at once."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.paths.cycles import cycles
from engine.check.paths.reach import Successors
from engine.check.paths.together import starts_together
from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Cure, Edit
from engine.core.graph.problems import Problem


def loop_forks(subject: Subject, moves: Successors) -> Iterator[Problem]:
    """Yield the nodes of loops of which one wire goes round and another one on, both at once."""
    if all(node.spec.branching == "first" for node in subject.nodes):
        return
    for group in cycles(moves):
        inside = set(group)
        for name in sorted(group, key=lambda name: subject.by_id[name].index):
            node = subject.by_id[name]
            if node.spec.branching == "all" and (out := _goes_both_ways(subject, node, inside)):
                yield _both(subject, node, out)


def _goes_both_ways(subject: Subject, node: NodeSubject, inside: set[str]) -> str | None:
    """Return where a wire leads that may leave the loop while another one goes round."""
    for together in starts_together(subject, node):
        targets = [edge.target for edge in together if edge.target in subject.by_id]
        out = next((target for target in targets if target not in inside), None)
        if out is not None and any(target in inside for target in targets):
            return out
    return None


def _both(subject: Subject, node: NodeSubject, out: str) -> Problem:
    message = (
        "It takes all edges that fit, so a run may go round the loop and leave it at once, and"
        f' "{out}" starts once a round: take the first that fits, or let the conditions'
        " exclude each other."
    )
    say = f"{node.label} may go round again and on to {subject.by_id[out].label} at the same time."
    first = Cure("Take only the first that fits", (Edit("node", node.id, ("branching",), None),))
    return node.problem("LoopForks", "branching", message).mended(say, first)
