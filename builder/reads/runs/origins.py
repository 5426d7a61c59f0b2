"""What started runs: the names of their triggers."""

from __future__ import annotations

from collections.abc import Sequence

from builder.models import Run, Trigger


def triggers_of(rows: Sequence[Run]) -> dict[str, str]:
    """Return the names of the triggers that started some of the runs, of those still there."""
    ids = {run.trigger for run in rows if run.trigger}
    if not ids:
        return {}
    return dict(Trigger.objects.filter(pk__in=ids).values_list("pk", "name"))
