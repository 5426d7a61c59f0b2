"""The part of the fold that concerns asking back: a clock that stops and goes on."""

from __future__ import annotations

from engine.core.state.events import Event
from engine.core.state.fold.people import is_about
from engine.core.state.run_state import AskedBack, RunState
from engine.core.values.json import FrozenDict


def asked_timer(request_id: str) -> str:
    """Return the name of the timer row at which a stopped clock runs on by itself."""
    return f"asked:{request_id}"


def interrupt_asked_back(state: RunState, event: Event) -> None:
    """Stop every timer of an approval, and keep how much was left of each."""
    data = event.data
    opened = state.interrupts[data["request_id"]]
    mine = [name for name in state.timers if is_about(name, opened.request_id)]
    left = {name: max(state.timers.pop(name)[0] - event.at, 0) for name in mine}
    opened.asked_back = AskedBack(
        data["by"], data["to"], data["question"], event.at, event.seq, data["until"], left
    )
    opened.asked_times += 1
    opened.expires_at = None
    state.timers[asked_timer(opened.request_id)] = (data["until"], opened.key)


def interrupt_answered_back(state: RunState, event: Event) -> None:
    """Let the clock go on with what was left, from when it should have at the latest."""
    data = event.data
    opened = state.interrupts[data["request_id"]]
    asked = opened.asked_back
    assert asked is not None
    since = min(event.at, asked.until)
    del state.timers[asked_timer(opened.request_id)]
    for name, left in asked.left.items():
        state.timers[name] = (since + left, opened.key)
    opened.expires_at = data.get("expires_at")
    opened.stopped_ms += since - asked.at
    opened.asked_back = None
    opened.last_reply = FrozenDict({"asked": asked.seq, **data})
