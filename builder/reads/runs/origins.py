"""What started runs: the names of their triggers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from builder.models import Run, Trigger

KINDS: Final = {"webhook": "the webhook", "schedule": "the schedule", "event": "the event trigger"}


def trigger_words(run: Run, names: Mapping[str, str]) -> str:
    """Return what started a run that no person did, in words; `names` are those of triggers."""
    kind = KINDS.get(run.source or "", "the trigger")
    name = names.get(run.trigger or "")
    return f"{kind} “{name}”" if name else f"{kind} that is gone"


def triggers_of(rows: Sequence[Run]) -> dict[str, str]:
    """Return the names of the triggers that started some of the runs, of those still there."""
    ids = {run.trigger for run in rows if run.trigger}
    if not ids:
        return {}
    return dict(Trigger.objects.filter(pk__in=ids).values_list("pk", "name"))
