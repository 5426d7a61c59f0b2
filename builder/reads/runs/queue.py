"""How many runs come before one that waits for a place: the older ones of its workspace that wait too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from builder.models import Run


def before(runs: Sequence[Run]) -> Mapping[str, int]:
    """Return how many come before each of the runs that wait for a place, by id; one query a workspace."""
    waiting = [run for run in runs if run.status == Run.Status.QUEUED and run.place_at == 0]
    found: dict[str, int] = {}
    for workspace_id in {run.workspace_id for run in waiting}:
        mine = [run for run in waiting if run.workspace_id == workspace_id]
        last = max(run.number or 0 for run in mine)
        rows = Run._base_manager.filter(workspace_id=workspace_id, status="queued", place_at=0)
        line = list(rows.filter(number__lte=last).order_by("number").values_list("pk", flat=True))
        places = {pk: index for index, pk in enumerate(line)}
        found |= {run.pk: places[run.pk] for run in mine if run.pk in places}
    return found
