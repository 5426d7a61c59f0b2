"""Breakpoints: a test run stands before a node until who started it says how it goes on."""

from __future__ import annotations

from typing import Final

from engine.core.decide.endings import begin_ending
from engine.core.decide.in_doubt import request_id_of
from engine.core.decide.transition import Transition
from engine.core.state.events import BREAKPOINT_ID
from engine.core.state.run_state import Activation, RunState
from engine.core.values.json import FrozenDict, digest

BREAK_MS: Final = 60 * 60 * 1000
"""How long a run stands at a breakpoint before it ends."""
PATH: Final = "breakpoint"


def stops_before(state: RunState, node_id: str, *, child: bool) -> bool:
    """Return whether the run stands before this node: its breakpoint, or the next node of a step.

    A step goes over what a node runs below itself.
    """
    if state.stepping and not child:
        return True
    return node_id in state.started.get("breakpoints", ())


def open_breakpoint(tx: Transition, act: Activation) -> None:
    """Hold a queued activation until the starter goes on, or the hour is over."""
    place = (tx.state.run_id, act.key, PATH, tx.state.seq + 1)
    tx.emit(
        "InterruptOpened",
        act.key,
        {
            "request_id": request_id_of(*place, BREAKPOINT_ID),
            "kind": "breakpoint",
            "request": FrozenDict({"kind": "breakpoint", "node": act.node}),
            "path": PATH,
            "request_hash": digest([PATH, act.node]),
            "expires_at": tx.now + BREAK_MS,
        },
    )


def end_at_breakpoint(tx: Transition) -> None:
    """End a run to which nobody came back."""
    begin_ending(tx, "cancelled", "nobody went on from the breakpoint within an hour", None)
