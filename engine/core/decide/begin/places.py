"""Places among the runs of a workspace: a run that has none stands until it is given one.

A run has a place while somebody works for it and gives it up as it ends, or waits: for people, for a
timer, for a run below it.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.core.decide.transition import Transition
from engine.core.state.run_state import RunState

Limited = Callable[[str | None], bool]
"""Whether only so many runs of a workspace may move at once."""


def rests(state: RunState) -> bool:
    """Return whether nobody has anything to do for a run: it is over, or waits for whatever it may be.

    What tries again after a failure does not rest.
    """
    if state.status != "running":
        return state.status != "ending"
    if state.ready or state.runnable or not (state.timers or state.child_runs):
        return False
    live = state.activations.values()
    return bool(live) and all(a.waiting_on in ("timer", "run") or not a.busy for a in live)


def has_left_its_place(state: RunState, limited: Limited) -> bool:
    """Return whether a run needs a place again before it goes on from here."""
    is_limited = limited(state.started.get("workspace_id"))
    return is_limited and state.status != "queued" and rests(state)


def wait_for_place(tx: Transition, limited: Limited) -> None:
    """Let a run that is about to move stand, where its workspace has only so many places."""
    state = tx.state
    if state.status != "running" or not limited(state.started.get("workspace_id")):
        return
    if not state.ready:
        state.ready.extend(state.board.release())
    if not rests(state):
        tx.emit("RunQueued", None, {})


def give_place(tx: Transition) -> None:
    """Let a run move that stood; one that moves, or is over by now, stays as it is."""
    if tx.state.status == "queued":
        tx.emit("RunAdmitted", None, {})
