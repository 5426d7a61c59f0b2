"""Test runs of the simulation: every third schedule stands at breakpoints, chosen without chance."""

from __future__ import annotations

from typing import Any

from engine.core.graph.document import GraphSpec
from tests.simulation.people import ANN


def trial_of(seed: int, spec: GraphSpec) -> dict[str, Any]:
    """Return the fields of a start that make a schedule's runs trials, which Ann started."""
    if seed % 3 != 2:
        return {}
    nodes = [node.id for node in spec.nodes]
    return {"breakpoints": nodes[seed % 2 :: 2], "started_by": ANN.id}
