"""What else is wrong with a document whose form is broken in several places at once."""

from __future__ import annotations

from typing import Any

import pytest

from engine.check.remainder import remainder
from engine.check.world import StaticWorld
from engine.core.graph.document import parse_document

NONSENSE: dict[str, Any] = {"id": "b", "type": "nonsense"}
EDGES: list[Any] = [
    [{"source": 5, "target": "b", "colour": 1}, {"source": 6, "target": "b"}],
    [5, {"source": "a", "target": "b", "colour": 1}],
    {"0": {"source": 5}},
]


def else_wrong(**document: Any) -> list[tuple[str, str]]:
    spec, problems = parse_document({"id": "main", **document})
    assert spec is None
    found = remainder({"id": "main", **document}, problems, lambda _spec: StaticWorld())
    return [(problem.code, problem.path) for problem in found]


@pytest.mark.parametrize("edges", EDGES)
def test_whatever_is_broken_of_edges_the_nodes_are_looked_at(edges: Any) -> None:
    """A surplus field of an edge that was broken already took all of them out; the next one failed."""
    assert ("UnknownNodeType", "nodes[0].type") in else_wrong(nodes=[NONSENSE], edges=edges)


def test_nodes_and_agents_may_be_broken_at_once() -> None:
    nodes = [5, {"id": 6, "type": 7, "colour": 1}, NONSENSE]

    found = else_wrong(nodes=nodes, agents=[{"id": 5, "colour": 1}], edges=[{"source": []}])

    assert ("UnknownNodeType", "nodes[2].type") in found
