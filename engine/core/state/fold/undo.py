"""The part of the fold that concerns undoing, and circuits that open and close."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.state.events import Event
from engine.core.state.fold.waits import leave_line
from engine.core.state.run_state import Activation, Compensation, RunState
from engine.core.values.json import FrozenDict


def push_undo(state: RunState, act: Activation, undo: FrozenDict) -> None:
    """Put what a completed activation owes on the stack."""
    state.compensations.append(Compensation(act.key, act.node, undo, act.metadata))


def compensation_started(state: RunState, event: Event) -> None:
    """Note a claim of the undo that is due: the first makes its activation, later ones go on."""
    act = state.activations.get(event.key or "")
    if act is None:
        owed = state.compensations[-1]
        act = Activation(event.key or "", owed.node, 1, undoes=owed, metadata=owed.metadata)
        act.attempt, act.started_at = 1, event.at
        state.activations[act.key] = act
        state.busy += 1
    was = act.busy
    leave_line(state, act)
    act.status, act.waiting_on, act.view = "running", None, None
    act.epoch, act.active_since = event.data["epoch"], event.at
    act.takeovers += bool(event.data.get("takeover"))
    state.busy += act.busy - was
    state.dirty.add(act.key)


def compensation_run(state: RunState, event: Event) -> None:
    """Take an undo from the stack, however it ended."""
    act = state.activations.pop(event.key or "")
    leave_line(state, act)
    state.busy -= act.busy
    state.dirty.add(act.key)
    assert act.undoes is not None
    state.compensations.remove(act.undoes)
    state.undone += 1


def circuit_moved(to: str) -> Callable[[RunState, Event], None]:
    """Return the fold of a circuit that opened or closed while this run was looking."""

    def apply(state: RunState, event: Event) -> None:
        place = f"{event.node}:{event.data['target']}"
        state.breakers[place] = FrozenDict({"state": to, "since": event.at})

    return apply
