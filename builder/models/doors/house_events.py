"""What happened in the house, and who has heard of it: rows that come with what they tell of.

Times are milliseconds since the epoch.
"""

# ruff: noqa: DJ001  (absent is null here: raw SQL and partial indexes rely on it)
from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.querysets import ScopedQuerySet
from builder.models.workspaces import Workspace


class HouseEventQuerySet(ScopedQuerySet["HouseEvent"]):
    """What happened in a workspace."""


class HouseEvent(models.Model):
    """One thing that happened: the end of a run, an item opened or decided, a mark of a budget.

    It is written in the transaction that makes it so (`builder.adapters.run_store.house_rows`); what
    only time makes so, by a scan (`builder.doors.house.waiting`).
    """

    id = models.BigAutoField(primary_key=True)
    workspace = models.ForeignKey(
        Workspace, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=32)
    ref = models.CharField(max_length=200)
    """What it is about: the id of the run, of the item, or of the budget with its period."""
    run = models.CharField(max_length=36, null=True)
    """The run in which it happened."""
    graph = models.CharField(max_length=36, null=True)
    """The id of that run's workflow; null for one that came from a file."""
    data = models.TextField(default="{}")
    """JSON: what the kind says of it, nothing that a model or a person wrote."""
    at = models.BigIntegerField()
    key = models.CharField(max_length=240, null=True)
    """By which it is the same event, whoever finds it; null where one commit alone writes it."""
    handed_at = models.BigIntegerField(null=True)
    """When it was handed to its consumers."""

    objects = HouseEventQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["key"], condition=Q(key__isnull=False), name="house_event_once"
            ),
        )
        indexes = (
            models.Index(
                fields=["id"], condition=Q(handed_at__isnull=True), name="house_event_new"
            ),
            models.Index(fields=["at"], name="house_event_age"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}"


class HouseTask(models.Model):
    """What one consumer has to do about one event; done once."""

    consumer = models.CharField(max_length=32)
    event = models.ForeignKey(HouseEvent, on_delete=models.CASCADE, related_name="tasks")
    available_at = models.BigIntegerField()
    """From when on it may be taken: who takes it moves this on, and that is the claim."""
    tries = models.IntegerField(default=0)
    done_at = models.BigIntegerField(null=True)
    """When it was done, or given up."""
    error = models.CharField(max_length=300, default="", blank=True)
    """Why it could not be done, the last time."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["consumer", "event"], name="house_task_once"),
        )
        indexes = (
            models.Index(
                fields=["available_at"], condition=Q(done_at__isnull=True), name="house_task_due"
            ),
        )

    def __str__(self) -> str:
        return f"{self.consumer} of {self.event_id}"
