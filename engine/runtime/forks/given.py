"""What a node of a run found when it last began: enough to run it alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.errors import RequestRefused
from engine.core.state.events import Event, node_of
from engine.core.state.run_state import RunState
from engine.runtime.forks.points import points


def last_start(run_id: str, events: Sequence[Event], node: str) -> tuple[int, str]:
    """Return seq and key of the node's last start. Raises `RequestRefused` where there is none."""
    found = [point for point in points(run_id, events) if node_of(point.key) == node]
    if not found:
        raise RequestRefused("ForkPointNotFound", "the run has not come to this node")
    return found[-1].seq, found[-1].key


def given(state: RunState, key: str) -> dict[str, Any]:
    """Return what an activation finds that has just begun, as `given` of a start takes it."""
    act = state.activations.get(key)
    return {
        "input": state.input,
        "memory": {name: value for name, value in state.memory.items() if name[:1] != "_"},
        "outputs": {node: out for node, out in state.outputs.items() if node != node_of(key)},
        "previous": None if act is None else act.previous,
    }
