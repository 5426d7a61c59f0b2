"""Which runs of a list are archived, and which are kept whatever their age."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from builder.models import KeptRun, Run, RunArchive
from builder.models.prepared import Prepared, each_of

ARCHIVED: Final = Prepared(
    lambda runs: RunArchive.objects.filter(pk__in=each_of(runs), gone_at=None).values_list(
        "pk", "at"
    )
)
KEPT: Final = Prepared(
    lambda runs: KeptRun.objects.filter(pk__in=each_of(runs)).values_list("pk", flat=True)
)


def archived_at(runs: Sequence[Run]) -> Mapping[str, int]:
    """Return when runs were archived, by id, in milliseconds since the epoch; in one query."""
    over = _over(runs)
    return dict(ARCHIVED.tuples(over)) if over else {}


def kept_of(runs: Sequence[Run]) -> Collection[str]:
    """Return which of the runs somebody keeps, in one query."""
    over = _over(runs)
    return {pk for (pk,) in KEPT.tuples(over)} if over else ()


def _over(runs: Sequence[Run]) -> str:
    """Return the ids of those that ended as a JSON array, empty text without any."""
    ids = [run.pk for run in runs if run.status in Run.ENDED]
    return json.dumps(ids) if ids else ""
