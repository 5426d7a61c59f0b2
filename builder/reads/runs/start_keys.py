"""The keys under which runs are started once: whose they are, and what they have started.

All doors share one index on a run's `trigger_key`. Each begins its keys with a name of its own, so
that no caller can take a key of another door, or of another caller.
"""

from __future__ import annotations

import hashlib
from typing import Final

from builder.models import Run

API: Final = "api"
TRIGGER: Final = "trg"
HOUSE: Final = ("api:", "trg:", "bulk:", "publication:")
"""How keys begin that this house gave, and no caller."""
LONGEST: Final = 200
"""Characters of `Run.trigger_key`."""


def key_of(door: str, whose: str, text: str) -> str:
    """Return the key of a door for what somebody calls `text`; a long text counts by its hash."""
    key = f"{door}:{whose}:{text}"
    if len(key) <= LONGEST:
        return key
    return f"{door}:{whose}:sha256-{hashlib.sha256(text.encode()).hexdigest()}"


def run_of_key(workspace_id: str, key: str, *, said: str = "", by: str = "") -> Run | None:
    """Return the run that the key has started, None without one.

    Runs from before keys had owners are kept under what was `said` alone: whoever started one of
    those finds it, unless it was said as keys of the house begin.
    """
    rows = Run.objects.filter(workspace=workspace_id)
    found = rows.filter(trigger_key=key).first()
    if found is not None or not said or said.startswith(HOUSE):
        return found
    return rows.filter(trigger_key=said, started_by=by).first()
