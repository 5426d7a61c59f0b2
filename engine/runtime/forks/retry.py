"""Going on at the failed node: what a retried run inherits, and what it would send again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.errors import RequestRefused
from engine.core.state.events import Event
from engine.runtime.forks.points import ForkPoint, before_undone, point_at, top

_RECORDED: Final = frozenset({"StepIntended", "StepCompleted", "StepRecorded"})
"""What activations that were under way may still record while the run ends."""


def retry_point(run_id: str, events: Sequence[Event]) -> tuple[ForkPoint, frozenset[int]]:
    """Return where a retry goes on, and the seqs from there on that it inherits.

    It goes on at the start of the activation that ended the run. What branches beside it did is
    inherited: they go on where they were, and what they finished while the run ended is recorded.
    Where steps were undone it goes on before the first of these and inherits nothing later.
    Raises `RequestRefused` `RunNotRetryable` where no node ended the run, such as after a cancel.
    """
    failed = _failed(events)
    if not failed:
        raise RequestRefused(
            "RunNotRetryable", "no failed node ended this run: fork it from a step, or start anew"
        )
    starts = [point_at(run_id, events, key) for key in failed]
    point = min(starts, key=lambda each: each.seq)
    undone = before_undone(run_id, events)
    if undone is not None:
        return min(point, undone, key=lambda each: each.seq), frozenset()
    return point, _beside(events, point.seq, failed)


def _failed(events: Sequence[Event]) -> set[str]:
    """Return the activations that ended the run, or failed beside the one that did."""
    fatal = [e for e in events if e.type == "NodeFailed" and not e.data["edges"]]
    failed = {e.key for e in fatal if e.key is not None and "/" not in e.key}
    ending = next((e for e in events if e.type == "RunEnding"), None)
    error = None if ending is None else ending.data.get("error")
    ended_by = {top(e.key) for e in fatal if e.data["error"] == error}
    return failed | ended_by


def _beside(events: Sequence[Event], start: int, failed: set[str]) -> frozenset[int]:
    ended = next((e.seq for e in events if e.type == "RunEnding"), len(events) + 1)
    return frozenset(
        event.seq
        for event in events
        if event.seq >= start
        and top(event.key) not in failed
        and (event.seq < ended or (event.key is not None and event.type in _RECORDED))
    )
