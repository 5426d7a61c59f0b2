"""How large a run may become: what one node leaves, and what all of its log holds."""

from __future__ import annotations

from typing import Any

from engine.core.decide.endings import begin_ending
from engine.core.decide.transition import Transition
from engine.core.errors import NodeError
from engine.core.state.events import error_data
from engine.core.state.run_state import RunState
from engine.core.values.limits import MAX_RESULT_BYTES, MAX_RUN_BYTES, MAX_RUN_EVENTS, MIB
from engine.core.values.weight import weigh


def check_result_size(*parts: Any) -> None:
    """Raise `NodeError` `ResultTooLarge` where a node leaves more than a run can carry on.

    The largest of its parts counts: a map's list is its output and lies in memory, and is kept once.
    """
    size = max([weigh(part) for part in parts if part], default=0)
    if size > MAX_RESULT_BYTES:
        message = (
            f"the node's result has about {_mib(size)} MiB, and {MAX_RESULT_BYTES // MIB} MiB are"
            " the most: leave what the next nodes need, and store the rest where they can fetch it"
        )
        raise NodeError("ResultTooLarge", message)


def is_too_large(state: RunState) -> bool:
    """Return whether the run has recorded more than a run may."""
    return state.weight > MAX_RUN_BYTES or state.seq > MAX_RUN_EVENTS


def too_large(state: RunState) -> NodeError:
    """Return the error of a run that has recorded too much."""
    if state.weight > MAX_RUN_BYTES:
        has = f"about {_mib(state.weight)} MiB of values, and {MAX_RUN_BYTES // MIB} MiB are"
    else:
        has = f"{state.seq:,} events, and {MAX_RUN_EVENTS:,} are"
    cure = "let child runs do parts of it (a subgraph node), each with a record of its own"
    return NodeError("RunTooLarge", f"the run has recorded {has} the most: {cure}")


def end_too_large(tx: Transition) -> bool:
    """End the run if it has recorded too much and would go on; return whether."""
    state = tx.state
    if not is_too_large(state):
        return False
    if not (state.ready or state.runnable or state.with_unstarted_children):
        return False
    begin_ending(tx, "failed", "failed", error_data(too_large(state), None))
    return True


def _mib(size: int) -> str:
    return f"{size / MIB:,.0f}"
