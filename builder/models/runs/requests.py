"""The mailbox: what people want of runs, from their wish to its answer."""

# ruff: noqa: DJ001  (absent is null here: a partial index relies on it)
from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.runs import Run


class RunRequest(models.Model):
    """What somebody wants of a run; written beside the facts of who asks, answered by its owner.

    `payload` is as `engine.runtime.mailbox.wishes` writes it, `answer` as
    `engine.runtime.stores.requests` does. Times are in milliseconds.
    """

    run = models.ForeignKey(Run, models.CASCADE, db_column="run", related_name="requests")
    kind = models.CharField(max_length=16)
    payload = models.TextField()
    by = models.CharField(max_length=64)
    created = models.BigIntegerField()
    answer = models.TextField(null=True)
    answered = models.BigIntegerField(null=True)

    class Meta:
        db_table = "builder_request"
        indexes = (
            models.Index(fields=["run"], condition=Q(answered__isnull=True), name="request_open"),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.run_id}"
