"""Which runs of a list are archived, and which are kept whatever their age."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from builder.models import KeptRun, Run, RunArchive


def archived_at(runs: Sequence[Run]) -> Mapping[str, int]:
    """Return when runs were archived, by id, in milliseconds since the epoch; in one query."""
    over = [run.pk for run in runs if run.status in Run.ENDED]
    if not over:
        return {}
    return dict(RunArchive.objects.filter(pk__in=over, gone_at=None).values_list("pk", "at"))


def kept_of(runs: Sequence[Run]) -> Collection[str]:
    """Return which of the runs somebody keeps, in one query."""
    over = [run.pk for run in runs if run.status in Run.ENDED]
    return set(KeptRun.objects.filter(pk__in=over).values_list("pk", flat=True)) if over else ()
