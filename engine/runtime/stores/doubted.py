"""Commits of which nobody knows whether they are durable, and the money that they move.

A commit failed, or its answer was lost: only the log can tell, when its run is loaded again. Until
then what it spent and gave back is as if it had not happened, and what it held stays held. So the
ledger never shows more room than there is, whichever it was, and no other run spends it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.budgets.ledger import Ledger
from engine.core.state.events import Event


class DoubtedCommits:
    """The events of doubted commits by their runs; `ledger` is kept on the safe side of them."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._events: dict[str, Sequence[Event]] = {}

    def __contains__(self, run_id: str) -> bool:
        """Return whether a commit of the run is doubted."""
        return run_id in self._events

    def add(self, run_id: str, events: Sequence[Event]) -> None:
        """Doubt a commit, after which nothing of the run is committed before it is loaded."""
        take_back(self._ledger, run_id, [event for event in events if not _holds(event)])
        self._events[run_id] = events

    def resolve(self, run_id: str, seq: int) -> None:
        """Count what is in the log of a run, which reaches to `seq`, and let go of what is not."""
        for event in self._events.pop(run_id, ()):
            if event.seq <= seq:
                self._ledger.replay(run_id, event, self._ledger)
            elif _holds(event):
                self._ledger.undo(run_id, event)

    def drop(self, run_id: str) -> None:
        """Forget a doubted commit: the rows of budgets, which are read next, say what became of it."""
        events = self._events.pop(run_id, ())
        take_back(self._ledger, run_id, [event for event in events if _holds(event)])


def take_back(ledger: Ledger, run_id: str, events: Sequence[Event]) -> None:
    """Move back the money of events that are not durable, the last one first."""
    for event in reversed(events):
        ledger.undo(run_id, event)


def _holds(event: Event) -> bool:
    return event.type == "StepIntended" and bool(event.data.get("hold"))
