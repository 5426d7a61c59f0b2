"""Pinned results of nodes: rows beside a draft that stand in for its nodes in test runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson
from django.db import transaction

from builder.base.errors import Conflict, Unprocessable
from builder.models import Graph, Membership, Pin
from builder.services.audit import chain as audit
from builder.services.graphs.drafts import document_of
from builder.services.permissions import Right, require
from engine.core.decide.begin.trials import pin_problem
from engine.core.graph.document import parse_document
from engine.core.node_types.registry import NODE_TYPES
from engine.core.state.program import Program

MOST: Final = 100
"""Pins of one graph."""
MOST_BYTES: Final = 256 * 1024
"""JSON of one pin: the log of each test run holds it again."""


def set_pin(member: Membership, graph: Graph, node: str, value: Mapping[str, Any]) -> Pin:
    """Keep a result that stands in for a node. Raises `Unprocessable` `PinDoesNotFit`, `PinTooLarge`."""
    require(member, Right.EDIT)
    size = len(orjson.dumps(value))
    if size > MOST_BYTES:
        raise Unprocessable(f"a pin has at most {MOST_BYTES // 1024} KiB", code="PinTooLarge")
    spec, _problems = parse_document(document_of(graph))
    problem = None if spec is None else pin_problem(node, value, Program(spec, NODE_TYPES))
    if problem is not None:
        raise Unprocessable(f"this cannot be pinned: {problem}", code="PinDoesNotFit")
    with transaction.atomic():
        Graph.objects.select_for_update().get(pk=graph.pk)
        if graph.pins.exclude(node=node).count() >= MOST:
            raise Conflict(f"a workflow has at most {MOST} pins: clear one", code="TooManyPins")
        pin, _made = Pin.objects.update_or_create(
            graph=graph, node=node, defaults={"value": dict(value), "changed_by": member.user}
        )
        audit.record(graph.workspace_id, member.user_id, "pin.set", graph.pk, node=node, bytes=size)
    return pin


def clear_pin(member: Membership, graph: Graph, node: str) -> None:
    """Let the node run again; without a pin nothing happens."""
    require(member, Right.EDIT)
    with transaction.atomic():
        gone, _rows = Pin.objects.filter(graph=graph, node=node).delete()
        if gone:
            audit.record(graph.workspace_id, member.user_id, "pin.cleared", graph.pk, node=node)


def pins_of(graph: Graph, known: frozenset[str] | None = None) -> dict[str, Any]:
    """Return what is pinned by node, of the `known` nodes where they are given."""
    rows = Pin.objects.filter(graph=graph).values_list("node", "value")
    return {node: value for node, value in rows if known is None or node in known}
