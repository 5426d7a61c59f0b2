"""Pinned nodes: a kept result stands in for the node, which is neither run nor paid for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.decide.outcomes import Finish, complete_node, fail_node
from engine.core.decide.transition import Transition
from engine.core.errors import NodeError
from engine.core.node_types.node_type import NodeResult
from engine.core.state.program import NodePlan
from engine.core.state.run_state import Activation, RunState


def pin_of(state: RunState, node_id: str, *, child: bool) -> Mapping[str, Any] | None:
    """Return what is pinned for a node that a token starts, None where nothing is."""
    pins: Mapping[str, Any] | None = state.started.get("pins")
    return None if pins is None or child else pins.get(node_id)


def complete_pinned(
    tx: Transition, plan: NodePlan, act: Activation, pin: Mapping[str, Any]
) -> None:
    """End a node with what is pinned: through the gate and along its edges, as its own result.

    It fails with `PinDoesNotFit` where the gate, the schema or the edges refuse that today.
    """
    try:
        result = NodeResult.of(
            {
                "data": {**pin.get("writes", {}), **pin.get("results", {})} or None,
                "output": pin["output"],
                **{name: pin[name] for name in SAID if pin.get(name)},
            }
        )
        finish = Finish(
            results=dict(pin.get("results", {})) or None,
            is_result=bool(pin.get("is_result")),
            pinned=True,
        )
        complete_node(tx, plan, act, result, finish)
    except NodeError as error:
        message = f"what is pinned at {act.node!r} does not fit any more: {error.message}"
        fail_node(tx, plan, act, NodeError("PinDoesNotFit", message, detail=error.detail))


SAID = ("condition", "intent", "next", "metadata")
"""What a pin may say of the way on, beside what it leaves."""
