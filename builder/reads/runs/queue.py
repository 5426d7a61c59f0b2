"""How many runs come before one that waits for a place: the older ones of its workspace that wait too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from builder.models import Run


def before(runs: Sequence[Run]) -> Mapping[str, int]:
    """Return how many come before each of the runs that wait for a place, by id.

    Two queries a workspace: what stands before all of them is counted, what stands among them is read.
    """
    numbers: dict[str, dict[int, str]] = defaultdict(dict)
    for run in runs:
        if run.status == Run.Status.QUEUED and run.place_at == 0 and run.number is not None:
            numbers[run.workspace_id][run.number] = run.pk
    found: dict[str, int] = {}
    for workspace_id, mine in numbers.items():
        rows = Run._base_manager.filter(workspace_id=workspace_id, status="queued", place_at=0)
        ahead = rows.filter(number__lt=min(mine)).count()
        among = rows.filter(number__range=(min(mine), max(mine))).order_by("number")
        for at, number in enumerate(among.values_list("number", flat=True), ahead):
            if number in mine:
                found[mine[number]] = at
    return found
