"""Bulk jobs as people start, stop and go on with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import Case, Count, F, Max, OuterRef, Subquery, Value, When

from builder.base.clock import now_ms
from builder.base.errors import Conflict, NotFound
from builder.models import BulkItem, BulkJob, Membership, Run
from builder.models.runs.bulk import OUT_BEFORE
from builder.models.runs.failures import told_status
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require
from builder.services.runs.bulk.preview import VALID_MS

Status = BulkJob.Status
OUT: Final = "left_out"
"""What stands for runs that were left out before a job began."""


def start_job(
    member: Membership, job_id: str, *, resend: bool = False, version: int | str = "same"
) -> BulkJob:
    """Begin what a preview showed; asked for twice, it is begun once.

    Raises `NotFound` where the preview is not the member's, `Conflict` `PreviewExpired`.
    """
    require(member, Right.RUN)
    with transaction.atomic():
        job = _locked(member, job_id)
        if job.by_id != member.user_id:
            raise NotFound("no such preview", code="BulkNotFound")
        if job.status != Status.PREVIEW:
            return job
        now = now_ms()
        if now - job.made_at > VALID_MS:
            message = "this was looked at more than ten minutes ago: look again"
            raise Conflict(message, code="PreviewExpired")
        job.status, job.started_at = Status.RUNNING, now
        job.resend, job.version = resend, str(version)
        job.save()
        counts = tally(job)
        runs = counts["pending"]
        told = {"runs": runs, "left_out": counts[OUT], "resend": resend, "version": job.version}
        _record(member, job, "started", **told)
    return job


def stop_job(member: Membership, job_id: str) -> BulkJob:
    """Do nothing more of a job; what is done stays done. One that is over stays as it is."""
    require(member, Right.RUN)
    with transaction.atomic():
        job = _locked(member, job_id)
        if job.status in (Status.RUNNING, Status.PAUSED):
            job.status, job.ended_at = Status.STOPPED, now_ms()
            job.save()
            _record(member, job, "stopped", **tally(job))
    return job


def resume_job(member: Membership, job_id: str) -> BulkJob:
    """Go on with a job that has paused; what stopped it then counts no more."""
    require(member, Right.RUN)
    with transaction.atomic():
        job = _locked(member, job_id)
        if job.status == Status.PAUSED:
            done = job.items.filter(at__isnull=False).aggregate(last=Max("place"))["last"]
            job.status, job.paused_for = Status.RUNNING, ""
            job.looked_from = 0 if done is None else done + 1
            job.save()
    return job


def end_job(job: BulkJob) -> None:
    """Note that nothing is left to do."""
    with transaction.atomic():
        row = BulkJob.objects.select_for_update().get(pk=job.pk)
        if row.status != Status.RUNNING:
            return
        row.status, row.ended_at = Status.ENDED, now_ms()
        row.save()
        told = {"does": row.action, **tally(row)}
        audit.record(row.workspace_id, row.by_id, "bulk.ended", row.pk, **told)


def tally(job: BulkJob) -> dict[str, int]:
    """Return how many runs of a job came to what."""
    return tallies([job])[job.pk]


def tallies(jobs: Sequence[BulkJob]) -> dict[str, dict[str, int]]:
    """Return how many runs came to what, or were `OUT` from the start, by job, in one query."""
    blank = {OUT: 0, **{str(result.value): 0 for result in BulkItem.Result}}
    found = {job.pk: dict(blank) for job in jobs}
    came = Case(When(OUT_BEFORE, then=Value(OUT)), default=F("result"))
    rows = BulkItem.objects.filter(job__in=jobs).order_by().annotate(came=came)
    for job, result, n in rows.values_list("job", "came").annotate(n=Count("pk")):
        found[job][result] = n
    return found


def gone_on(jobs: Sequence[BulkJob]) -> dict[str, dict[str, int]]:
    """Return how the runs stand that a job made for others, by job and status, in one query."""
    found: dict[str, dict[str, int]] = {job.pk: {} for job in jobs}
    new = Run.objects.filter(pk=OuterRef("new_run")).annotate(told=told_status())
    status = new.values("told")[:1]
    done = BulkItem.objects.filter(job__in=jobs, result=BulkItem.Result.DONE)
    items = done.filter(new_run__isnull=False)  # one that is left out has somebody else's
    rows = items.order_by().annotate(standing=Subquery(status)).values_list("job", "standing")
    for job, standing, n in rows.annotate(n=Count("pk")):
        if standing is not None:
            found[job][standing] = n
    return found


def _locked(member: Membership, job_id: str) -> BulkJob:
    rows = BulkJob.objects.in_workspace(member.workspace_id).select_for_update()
    job = rows.filter(pk=job_id).first()
    if job is None:
        raise NotFound("no such job", code="BulkNotFound")
    return job


def _record(member: Membership, job: BulkJob, what: str, **detail: Any) -> None:
    told = {"does": job.action, **detail}
    audit.record(job.workspace_id, member.user_id, f"bulk.{what}", job.pk, **told)
