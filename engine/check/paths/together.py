"""Which wires of one node may be taken in one go, where it takes all that fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from engine.check.subject import NodeSubject, Subject
from engine.core.expressions.cel import Constant, ExpressionInvalid, compile_expression
from engine.core.graph.document import EdgeSpec
from engine.core.values.effort import COMPILED, charge

_Asked: TypeAlias = Mapping[tuple[str, ...], frozenset[Constant]]

_TOKEN: Final = ("when",)
"""The path that stands for the routing token: a result has one at most."""
_MOST: Final = 8_192
"""Wires in all sets of one node; where it were more, all its wires are taken for one set."""


def starts_together(subject: Subject, node: NodeSubject) -> Iterator[list[EdgeSpec]]:
    """Yield sets of wires so that any two that may be taken at once are in one of them."""
    edges = subject.spec.edges_from(node.id)
    if node.spec.branching == "all":
        for on in dict.fromkeys(edge.on for edge in edges):
            yield from overlapping([edge for edge in edges if edge.on == on])
    else:
        group = [edge for edge in edges if edge.on == "completed"]
        if len(group) > 1 and not any(edge.conditional or edge.trigger for edge in group):
            yield group


def overlapping(edges: Sequence[EdgeSpec]) -> list[list[EdgeSpec]]:
    """Return such sets of one group that takes all that fit; wires that exclude each other share none.

    Wires exclude each other by other tokens, and by other values of the field that most of them
    ask for. The plain ones are taken where no condition fits: all at once.
    """
    conditional = [edge for edge in edges if edge.conditional]
    plain = [edge for edge in edges if not edge.conditional and edge.trigger is None]
    return [found for found in (*_by_value(conditional), plain) if len(found) > 1]


def _by_value(edges: list[EdgeSpec]) -> list[list[EdgeSpec]]:
    asked = [(edge, _asked(edge)) for edge in edges]
    counted = Counter(path for _edge, values in asked for path in values)
    if not counted:
        return [edges]
    path = counted.most_common(1)[0][0]
    rest = [edge for edge, values in asked if path not in values]
    sets: dict[Constant, list[EdgeSpec]] = {}
    for edge, values in asked:
        for value in values.get(path, ()):
            sets.setdefault(value, []).append(edge)
    if sum(len(found) + len(rest) for found in sets.values()) > _MOST:
        return [edges]
    return [[*found, *rest] for found in sets.values()] or [rest]


def _asked(edge: EdgeSpec) -> _Asked:
    """Return which values must be there where the wire is taken."""
    if edge.condition is None:
        return {_TOKEN: frozenset({("text", edge.when or "")})}
    charge(COMPILED)
    try:
        return compile_expression(edge.condition).asked.values
    except ExpressionInvalid:
        return {}
