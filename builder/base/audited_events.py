"""Which events of a run's log tell of an action, so that they belong into the audit log as well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.core.state.events import is_breakpoint

AUDITED: Final = frozenset(
    {
        "RunStarted",
        "RunEnding",
        "BudgetRaised",
        "InterruptResolved",
        "DecisionRecorded",
        "DecisionDropped",
        "InterruptAskedBack",
        "InterruptAnsweredBack",
    }
)
"""Types of events that may tell of one; `is_audited` looks at what they carry."""

PARENT: Final = "parent"
"""Who cancels a child run: the run above it, of which somebody's action is recorded."""


def is_audited(kind: str, data: Mapping[str, Any]) -> bool:
    """Return whether an event tells what a person did, or what became of what was asked of one.

    Starts of child runs are none, and neither is what a fork copied from the run before it: there
    the ids of questions have a dot and the new run's name behind it.
    """
    if kind == "RunStarted":
        return data.get("parent") is None
    if kind == "RunEnding":
        return data.get("by") not in (None, PARENT)
    if kind == "InterruptResolved":
        if is_breakpoint(data):
            return False
        copied = "." in str(data.get("request_id"))
        return not copied and ("by" in data or data.get("outcome") == "expired")
    return kind in AUDITED
