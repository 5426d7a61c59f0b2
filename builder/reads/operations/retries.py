"""Retries of many runs that are not over, and which runs wait in them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from builder.models import BulkItem, BulkJob, FailureCause, Run, RunFailure

UNFINISHED: Final = (BulkJob.Status.RUNNING, BulkJob.Status.PAUSED)


@dataclass(frozen=True, slots=True)
class Queued:
    """How many runs of a cause wait in a job that is not over."""

    job: str
    status: str
    runs: int


def waiting_in_jobs(workspace_id: str, runs: Collection[str]) -> set[str]:
    """Return which of the runs wait in a retry that is not over."""
    waiting = _items(workspace_id).filter(run__in=runs) if runs else BulkItem.objects.none()
    return set(waiting.values_list("run", flat=True))


def queued_of_causes(rows: Sequence[FailureCause]) -> dict[str, list[Queued]]:
    """Return the jobs in which runs of the causes wait, by cause; mostly it is one query."""
    found: dict[str, list[Queued]] = defaultdict(list)
    for workspace in {row.workspace_id for row in rows}:
        items = list(_items(workspace).values_list("job", "job__status", "run"))
        if not items:
            continue
        waiting = Run.objects.filter(pk__in={run for _job, _status, run in items})
        runs = {number: pk for pk, number in waiting.values_list("pk", "number")}
        failures = RunFailure.objects.filter(cause__in=rows, number__in=[*runs])
        cause = {runs[number]: one for number, one in failures.values_list("number", "cause")}
        counts = Counter((cause[run], job, status) for job, status, run in items if run in cause)
        for (one, job, status), n in sorted(counts.items()):
            found[one].append(Queued(job, status, n))
    return found


def _items(workspace_id: str) -> QuerySet[BulkItem]:
    jobs = BulkJob.objects.filter(
        workspace=workspace_id, action=BulkJob.Action.RETRY, status__in=UNFINISHED
    )
    return BulkItem.objects.filter(job__in=jobs, result=BulkItem.Result.PENDING)
