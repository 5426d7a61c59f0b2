"""Works through bulk jobs, a run at a time: whatever dies, each run is gone on with once.

A retry has a trigger key of its job and run. Who comes back after a crash finds the run that it made,
so an item is written only after its deed, and no deed is done twice.
"""

from __future__ import annotations

import time
from typing import Final

from builder.base import engine_door
from builder.base.bells import hub, runs_topic
from builder.base.clock import now_ms
from builder.base.errors import ServiceError
from builder.base.failure_words import is_rejection
from builder.models import BulkItem, BulkJob, Membership, Run, RunFailure
from builder.models.prepared import Prepared
from builder.models.runs.bulk import OUT_BEFORE
from builder.reads.operations.board import BUSY
from builder.services.audit.run_actions import BULK
from builder.services.permissions import Right, may
from builder.services.runs import runs
from builder.services.runs.bulk.jobs import end_job
from builder.services.runs.bulk.preview import doubtful, note, refusal
from builder.services.runs.bulk.verdicts import GONE, IN_DOUBT, Verdict, verdicts
from engine.core.errors import RequestRefused

TURN_SECONDS: Final = 1.0
"""How long one job is worked on before the others have their turn."""
AT_ONCE: Final = 10
"""Runs of a job that may be under way before the next one is begun."""
YOUNG_MS: Final = 10_000
"""For how long a run is waited for: one that takes longer does not hold up the others."""
ALIKE: Final = 5
"""So many failures alike in a row pause a job."""
IN_A_ROW: Final = 10
"""So many failures in a row do, whatever they are: runs of several causes take turns in a job."""
LOOKED_BACK: Final = 30
RUNNING: Final = Prepared(
    lambda: (
        BulkJob.objects.filter(status=BulkJob.Status.RUNNING)
        .select_related("workspace")
        .order_by("started_at", "pk")
    )
)


def work_due() -> int:
    """Give every job that is under way a turn; return how many runs were dealt with."""
    return sum(_turn(job) for job in RUNNING.all())


def _turn(job: BulkJob) -> int:
    member = _member(job)
    done, until = 0, time.monotonic() + TURN_SECONDS
    while time.monotonic() < until and _goes_on(job):
        item = job.items.filter(result=BulkItem.Result.PENDING).order_by("place").first()
        if item is None:
            end_job(job)
            break
        if job.action == BulkJob.Action.RETRY and (_is_busy(job) or _paused(job)):
            break
        _deal_with(job, item, member)
        done += 1
    if done:
        hub.ring(runs_topic(job.workspace_id))
    return done


def _member(job: BulkJob) -> Membership | None:
    """Return who started the job, None where they may no longer."""
    rows = Membership.objects.select_related("workspace", "user").filter(user__is_active=True)
    found = rows.filter(user=job.by_id, workspace=job.workspace_id).first()
    return found if found is not None and may(found, Right.RUN) else None


def _goes_on(job: BulkJob) -> bool:
    """Return whether nobody has stopped the job meanwhile."""
    return BulkJob.objects.filter(pk=job.pk, status=BulkJob.Status.RUNNING).exists()


def _deal_with(job: BulkJob, item: BulkItem, member: Membership | None) -> None:
    run = Run.objects.filter(pk=item.run).select_related("graph", "version").first()
    if member is None:
        note(item, refusal("NotAllowed", "Who started this may no longer do it."))
    elif run is None:
        note(item, GONE)
    elif job.action == BulkJob.Action.RETRY:
        _retry(job, item, member, run)
    else:
        _cancel(job, item, member, run)
    item.at = now_ms()
    item.save()


def _retry(job: BulkJob, item: BulkItem, member: Membership, run: Run) -> None:
    key = f"{BULK}{job.pk}:{run.pk}"
    made = Run.objects.filter(workspace=job.workspace_id, trigger_key=key).first()
    if made is not None:
        item.result, item.new_run = BulkItem.Result.DONE, made.pk
        return
    left_out = verdicts(member, job.action, [run]).get(run.pk) or _doubt(job, run)
    if left_out is not None:
        note(item, left_out)
        return
    version = int(job.version) if job.version.isdecimal() else job.version
    try:
        new = runs.retry_run(member, run, resend=job.resend, version=version, key=key, source=None)
    except ServiceError as error:
        note(item, refusal(error.code, error.message))
    except RequestRefused as refused:
        note(item, refusal(refused.code, str(refused)))
    else:
        item.result, item.new_run = BulkItem.Result.DONE, new


def _doubt(job: BulkJob, run: Run) -> Verdict | None:
    """Return why a run is not sent again; without `resend` the engine itself refuses that."""
    if not job.resend:
        return None
    try:
        return IN_DOUBT if doubtful(engine_door.engine().retry_plan(run.pk)) else None
    except RequestRefused as refused:
        return refusal(refused.code, str(refused))


def _cancel(job: BulkJob, item: BulkItem, member: Membership, run: Run) -> None:
    if run.status in (Run.Status.CANCELLED, Run.Status.ENDING):
        item.result = BulkItem.Result.DONE
        return
    left_out = verdicts(member, job.action, [run]).get(run.pk)
    if left_out is not None:
        note(item, left_out)
        return
    others = job.items.exclude(OUT_BEFORE).count() - 1
    reason = f"cancelled together with {others} others" if others else "cancelled"
    try:
        runs.cancel_run(member, run, reason=reason)
    except (ServiceError, RequestRefused) as error:
        note(item, refusal(error.code, str(error)))
    else:
        item.result = BulkItem.Result.DONE


def _is_busy(job: BulkJob) -> bool:
    """Return whether enough runs of the job have just begun."""
    done = job.items.filter(result=BulkItem.Result.DONE)
    mine = done.filter(new_run__isnull=False, at__isnull=False).order_by("-place")
    last = list(mine.values_list("new_run", flat=True)[: 2 * AT_ONCE])
    young = Run.objects.filter(pk__in=last, status__in=BUSY, started_at__gt=now_ms() - YOUNG_MS)
    return young.count() >= AT_ONCE


def _paused(job: BulkJob) -> bool:
    """Pause the job if the last that came to anything failed."""
    failing = _failing(job)
    if failing is None:
        return False
    mine = BulkJob.objects.filter(pk=job.pk, status=BulkJob.Status.RUNNING)
    mine.update(status=BulkJob.Status.PAUSED, paused_for=failing[:500])
    return True


def _failing(job: BulkJob) -> str | None:
    """Return what five alike, or ten of whatever kind, failed of in a row; None if they did not.

    What a person rejected has not failed: it came as far as to be decided.
    """
    dealt = job.items.filter(at__isnull=False, place__gte=job.looked_from)
    items = list(dealt.exclude(result=BulkItem.Result.SKIPPED).order_by("-place")[:LOOKED_BACK])
    new = {run.pk: run for run in Run.objects.filter(pk__in=[item.new_run for item in items])}
    numbers = [run.number or 0 for run in new.values()]
    failed = RunFailure.objects.filter(number__in=numbers).select_related("cause")
    causes = {
        row.number: row.cause.sample
        for row in failed
        if not is_rejection(row.cause.code, row.cause.sample)
    }
    said: list[str | None] = []
    for item in items:
        run = new.get(item.new_run or "")
        if run is None:
            said.append(item.why or None)
        elif run.status not in BUSY:
            said.append(causes.get(run.number or 0))
    alike, row = said[:ALIKE], said[:IN_A_ROW]
    if len(alike) == ALIKE and len(set(alike)) == 1:
        return alike[0]
    if len(row) == IN_A_ROW and None not in row:
        return f"{IN_A_ROW} in a row, for more than one reason. The last one: {row[0]}"
    return None
