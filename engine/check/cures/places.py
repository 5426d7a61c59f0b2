"""Where a problem stands: the node or wire, the way inside it, and what is there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Edit
from engine.core.graph.document import EdgeSpec
from engine.core.graph.problems import Location, Problem
from engine.core.values.effort import charge
from engine.core.values.json import thaw

_STEPS: Final = re.compile(r"\[(?:(\d+)|'([^'\]]*)'|\"([^\"\]]*)\")\]|([^.\[\]]+)")


def steps_of(path: str) -> Location:
    """Return the steps of a problem's path: `nodes[0].config['a b']`."""
    charge(1 + len(path) // 20)
    return tuple(
        int(index) if index else single or double or name
        for index, single, double, name in _STEPS.findall(path)
    )


def node_of(subject: Subject, problem: Problem) -> NodeSubject | None:
    """Return the node of a problem."""
    return None if problem.node is None else subject.by_id.get(problem.node)


def edge_of(subject: Subject, problem: Problem) -> EdgeSpec | None:
    """Return the wire of a problem, None where it has no id by which it could be changed."""
    steps = steps_of(problem.path)
    if steps[:1] != ("edges",) or len(steps) < 2:
        return None
    found = edge_at(subject, steps[1])
    return found if found is not None and found.id else None


def edge_at(subject: Subject, index: str | int) -> EdgeSpec | None:
    """Return the wire at a position of the document."""
    at = int(index) if str(index).isdigit() else len(subject.spec.edges)
    found = subject.spec.edges[at] if at < len(subject.spec.edges) else None
    return found if found is not None and found.index == at else None


def inside(problem: Problem) -> Location:
    """Return the steps of a problem's path below its node, wire or the document."""
    steps = steps_of(problem.path)
    return steps[2:] if steps[:1] in (("nodes",), ("edges",)) else steps


def value_at(value: Any, steps: Sequence[str | int]) -> Any:
    """Return what stands at a place of a value, None where there is nothing."""
    for step in steps:
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, (list, tuple)) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return thaw(value)


def there(subject: Subject, problem: Problem) -> Any:
    """Return what the document says at the place of a problem: in a config, in keys, on a wire."""
    return there_at(subject, problem, inside(problem))


def there_at(subject: Subject, problem: Problem, steps: Location) -> Any:
    """Return what the document says at other steps of the part that a problem is of."""
    node, edge = node_of(subject, problem), edge_of(subject, problem)
    if node is not None and steps:
        given = getattr(node.spec, str(steps[0]), None)
        return value_at(given, steps[1:])
    if edge is not None and steps:
        return getattr(edge, str(steps[0]), None)
    return value_at(getattr(subject.spec, str(steps[0]), None), steps[1:]) if steps else None


def put(subject: Subject, problem: Problem, value: Any, steps: Location | None = None) -> Edit:
    """Return the edit that writes a value at the place of a problem, or at `steps` beside it."""
    at = inside(problem) if steps is None else steps
    edge = edge_of(subject, problem)
    if edge is not None:
        return Edit("edge", edge.id or "", at, value)
    if problem.node is not None:
        return Edit("node", problem.node, at, value)
    return Edit("graph", "", at, value)
