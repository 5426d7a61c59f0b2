"""How many come before a run that waits for a place, or before a call of one that waits for its turn."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from builder.models import CallTurn, Run
from builder.models.prepared import Prepared, each_of

TURNS: Final = Prepared(
    lambda runs: (
        CallTurn.objects.filter(run__in=each_of(runs), given=False)
        .order_by("pk")
        .values_list("pk", "run", "workspace", "model")
    )
)


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


def calls_before(runs: Sequence[Run]) -> Mapping[str, list[str]]:
    """Return in words which calls of runs wait for their turn, by the runs' ids; the oldest first.

    `a call of house/small: 3 before it`, where as many wait for the same provider.
    """
    alive = [run.pk for run in runs if run.status not in Run.ENDED]
    found: dict[str, list[str]] = defaultdict(list)
    for turn, run, workspace, model in TURNS.tuples(json.dumps(alive)) if alive else ():
        provider = model.partition("/")[0]
        waiting = CallTurn.objects.in_workspace(workspace).filter(given=False, pk__lt=turn)
        ahead = waiting.filter(model__startswith=f"{provider}/").count()
        found[run].append(f"a call of {model}: {f'{ahead} before it' if ahead else 'next in line'}")
    return found
