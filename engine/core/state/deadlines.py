"""When a run times out, and when it needs the next look."""

from __future__ import annotations

from engine.core.state.run_state import RunState


def run_deadline(state: RunState) -> int | None:
    """Return when the run times out if nothing stops its clock, None while it waits for people."""
    since = state.executing_since
    if since is None or state.ending is not None or state.terminal:
        return None
    limit: int = state.started["limits"]["max_execution_time_ms"]
    return since + limit - state.executing_ms


def next_wake(state: RunState) -> int | None:
    """Return the earliest moment at which the run needs a look, None if nothing is timed."""
    deadline = run_deadline(state)
    if not state.timers:
        return deadline
    times = [at for at, _key in state.timers.values()]
    if deadline is not None:
        times.append(deadline)
    return min(times)
