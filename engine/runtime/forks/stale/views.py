"""What an activation finds when it starts, compared between two runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.core.errors import NodeError
from engine.core.node_types.view import View
from engine.core.state.lanes import build_view
from engine.core.state.run_state import RunState

_LANES: Final = ("goal", "constraints", "metadata", "previous", "has_input", "start_input")


def found_differently(was: RunState, now: RunState, key: str) -> frozenset[str] | None:
    """Return the names that an activation which just began finds otherwise in `now`.

    `level` and `outputs.x` are names, lanes are named whole; None where that cannot be told.
    """
    before, after = _view(was, key), _view(now, key)
    if before is None or after is None:
        return None
    old, new = was.activations[key], now.activations[key]
    names = {lane for lane in _LANES if getattr(before, lane) != getattr(after, lane)}
    names |= _differing(before.memory, after.memory)
    names |= {f"outputs.{node}" for node in _differing(before.outputs, after.outputs)}
    names |= _differing(_lasting(before.context), _lasting(after.context))
    if (old.node_state, old.workflow_state) != (new.node_state, new.workflow_state):
        names.add("state")
    return frozenset(names)


def _view(state: RunState, key: str) -> View | None:
    act = state.activations.get(key)
    if act is None:
        return None
    try:
        return build_view(state, state.program.plan(act.node), act)
    except NodeError:
        return None


def _differing(was: Mapping[str, Any], now: Mapping[str, Any]) -> set[str]:
    return {name for name in {*was, *now} if was.get(name, was) != now.get(name, now)}


def _lasting(context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the context without what is another in each run."""
    return {name: value for name, value in context.items() if name != "run_id"}
