"""Which ways out of a verifier stay open when what it looked at does not pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.expressions.cel import (
    ExpressionFailed,
    ExpressionInvalid,
    MissingReference,
    compile_expression,
    truthy,
)
from engine.core.graph.document import EdgeSpec
from engine.core.node_types.node_type import Refusal

_OPTIONAL = ("has(", "?", "orValue")
"""Where a condition asks whether something is there, an absent key says nothing for sure."""


def open_edges(
    edges: Sequence[EdgeSpec], refused: Refusal, *, takes_all: bool = False
) -> list[EdgeSpec]:
    """Return the edges that a run may take although the verdict was negative.

    Conditions are tried over the memory that a negative verdict leaves, as routing does: in
    order, the first that holds is taken, or all that do; one whose value depends on more stays
    possible.
    """
    others = [edge for edge in edges if edge.on != "completed" or edge.trigger is not None]
    if refused.fails:
        return [edge for edge in others if edge.on != "completed"]
    group = [edge for edge in edges if edge.on == "completed" and edge.trigger is None]
    tried = sorted(
        (edge for edge in group if edge.conditional), key=lambda e: (e.priority, e.index)
    )
    scope = _scope(refused)
    certain = False
    for edge in tried:
        holds = _value(edge, scope, refused)
        if holds is not False:
            others.append(edge)
        certain = certain or holds is True
        if certain and not takes_all:
            return others
    if certain:
        return others
    return [*others, *(edge for edge in group if not edge.conditional)]


def _scope(refused: Refusal) -> dict[str, Any]:
    result = {
        "output": refused.output,
        "data": dict(refused.memory),
        "condition": refused.condition,
    }
    return {"memory": dict(refused.memory), "previous": refused.output, "result": result}


def _value(edge: EdgeSpec, scope: Mapping[str, Any], refused: Refusal) -> bool | None:
    """Return what the edge's token or condition gives for certain, None where that is unknown."""
    if edge.when is not None and refused.condition is not None:
        return edge.when == refused.condition
    if edge.condition is None or any(word in edge.condition for word in _OPTIONAL):
        return None
    try:
        return truthy(compile_expression(edge.condition).evaluate(scope))
    except (ExpressionInvalid, ExpressionFailed, MissingReference):
        return None
