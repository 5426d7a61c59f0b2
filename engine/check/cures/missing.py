"""A step that has to be chosen: those that nothing leads to are offered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.check.cures.places import inside, node_of, put
from engine.check.subject import Subject
from engine.core.graph.cures import Cure
from engine.core.graph.problems import Problem
from engine.core.node_types.form import hint

OFFERED: Final = 3
"""Steps that are offered at most."""


def choose_step(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the steps that a node could run itself, as no wire leads to them."""
    node, steps = node_of(subject, problem), inside(problem)
    if node is None or node.type is None or len(steps) != 2 or steps[0] != "config":
        return
    info = node.type.Config.model_fields.get(str(steps[1]))
    if info is None or hint(info, "widget") != "node" or not hint(info, "runs"):
        return
    led_to = {edge.target for edge in subject.spec.edges}
    led_to.update(child for other in subject.nodes for child in other.children)
    free = [each for each in subject.nodes if each.id not in led_to and each is not node]
    for each in free[:OFFERED]:
        yield Cure(f"{info.title}: {each.label}", (put(subject, problem, each.id),))
