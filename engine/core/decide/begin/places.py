"""Places among the runs of a workspace: a run that has none stands until it is given one.

A run takes a place while it moves and gives it up as it ends, or waits for people or a timer. What
a run starts below itself begins in its place.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.core.decide.transition import Transition

Limited = Callable[[str | None], bool]
"""Whether only so many runs of a workspace may move at once."""


def wait_for_place(tx: Transition, limited: Limited) -> None:
    """Let a run that is about to move stand, where its workspace has only so many places."""
    state = tx.state
    if state.status == "running" and limited(state.started.get("workspace_id")):
        tx.emit("RunQueued", None, {})


def begin_in_place(tx: Transition, limited: Limited) -> None:
    """The same of a run that was just made; one below another run begins in the place of that."""
    parent = tx.state.started.get("parent")
    if not parent or parent.get("kind") != "subgraph":
        wait_for_place(tx, limited)


def give_place(tx: Transition) -> None:
    """Let a run move that stood; one that moves, or is over by now, stays as it is."""
    if tx.state.status == "queued":
        tx.emit("RunAdmitted", None, {})
