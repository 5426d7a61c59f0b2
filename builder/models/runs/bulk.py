"""What is done with many runs at once: a job, and what became of each of its runs.

A job is a preview until somebody starts it: its runs are fixed from the first look on. Times are
milliseconds since the epoch.
"""

# ruff: noqa: DJ001  (absent is null here)
from __future__ import annotations

from typing import Final

from django.db import models

from builder.models.ids import new_id
from builder.models.querysets import BulkJobQuerySet
from builder.models.workspaces import User, Workspace


class BulkJob(models.Model):
    """One action on fixed runs, asked for by one person."""

    class Action(models.TextChoices):
        RETRY = "retry"
        CANCEL = "cancel"

    class Status(models.TextChoices):
        PREVIEW = "preview"
        RUNNING = "running"
        PAUSED = "paused"
        STOPPED = "stopped"
        ENDED = "ended"

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="bulk_jobs")
    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="bulk_jobs")
    action = models.CharField(max_length=16, choices=Action.choices)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.PREVIEW)
    resend = models.BooleanField(default=False)
    version = models.CharField(max_length=16, default="same")
    """With `retry`, what runs: `same`, `draft`, or the number of a published version."""
    made_at = models.BigIntegerField()
    started_at = models.BigIntegerField(null=True)
    ended_at = models.BigIntegerField(null=True)
    paused_for = models.CharField(max_length=500, default="")
    """With `paused`: what five in a row had in common."""
    looked_from = models.IntegerField(default=0)
    """Items before this place say nothing any more of whether to pause."""

    objects = BulkJobQuerySet.as_manager()

    class Meta:
        indexes = (
            models.Index(
                fields=["status"], condition=models.Q(status="running"), name="bulk_running"
            ),
            models.Index(fields=["workspace", "-made_at"], name="bulk_recent"),
        )

    def __str__(self) -> str:
        return f"{self.action} {self.id[:8]}"


class BulkItem(models.Model):
    """One run of a job and what became of it."""

    class Result(models.TextChoices):
        PENDING = "pending"
        DONE = "done"
        SKIPPED = "skipped"
        REFUSED = "refused"

    job = models.ForeignKey(BulkJob, on_delete=models.CASCADE, related_name="items")
    place = models.IntegerField()
    run = models.CharField(max_length=36)
    result = models.CharField(max_length=16, choices=Result.choices, default=Result.PENDING)
    new_run = models.CharField(max_length=36, null=True)
    code = models.CharField(max_length=64, default="")
    why = models.CharField(max_length=500, default="")
    at = models.BigIntegerField(null=True)
    """When it was dealt with; None too for what was left out before the job began."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["job", "place"], name="bulk_place_once"),
            models.UniqueConstraint(fields=["job", "run"], name="bulk_run_once"),
        )
        indexes = (models.Index(fields=["job", "result", "place"], name="bulk_left"),)

    def __str__(self) -> str:
        return f"{self.job_id[:8]} {self.place} {self.result}"


OUT_BEFORE: Final = models.Q(
    result__in=(BulkItem.Result.SKIPPED, BulkItem.Result.REFUSED), at__isnull=True
)
"""Items that were left out before their job began: it counts none of them as its own."""
