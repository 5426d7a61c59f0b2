"""What starts a workflow without a person: addresses that are called, times, and events of the house.

Times are milliseconds since the epoch.
"""

# ruff: noqa: DJ001  (absent is null here: unique and partial indexes rely on it)
from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.graphs import Graph
from builder.models.ids import new_id
from builder.models.querysets import ScopedQuerySet
from builder.models.workspaces import User, Workspace


class TriggerQuerySet(ScopedQuerySet["Trigger"]):
    """What starts the workflows of a workspace."""


class Trigger(models.Model):
    """One thing that starts a workflow's published version; no part of its document."""

    class Kind(models.TextChoices):
        WEBHOOK = "webhook"
        SCHEDULE = "schedule"
        EVENT = "event"

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="triggers")
    graph = models.ForeignKey(Graph, on_delete=models.CASCADE, related_name="triggers")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    name = models.CharField(max_length=120)
    on = models.BooleanField(default=False)
    config = models.JSONField(default=dict)
    """Of a webhook its signature, of a schedule `{cron, zone, missed}`, of events `{on, workflow, minutes,
    percent}`."""
    mapping = models.JSONField(default=dict)
    """The fields of the input, each an expression over `body`, `headers` and `query`."""
    account = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    """The service account as which it starts runs."""
    switched_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    """Who switched it on, or gave it what it starts with: four eyes count them as its starter."""
    address = models.CharField(max_length=64, null=True, unique=True)
    """The random part of a webhook's address."""
    next_at = models.BigIntegerField(null=True)
    """When a schedule is due; null while it is off."""
    last_at = models.BigIntegerField(null=True)
    """When it last started a run."""
    told_at = models.BigIntegerField(null=True)
    """When who switched it on was last told that it turned something away."""
    made_at = models.BigIntegerField()

    objects = TriggerQuerySet.as_manager()

    class Meta:
        ordering = ("made_at", "id")
        indexes = (
            models.Index(
                fields=["next_at"], condition=Q(next_at__isnull=False), name="trigger_due"
            ),
            models.Index(fields=["workspace"], condition=Q(kind="event"), name="trigger_events"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class TriggerSecret(models.Model):
    """What the calls of a webhook are signed with, sealed; while it is changed there are two."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    trigger = models.ForeignKey(Trigger, on_delete=models.CASCADE, related_name="secrets")
    sealed = models.BinaryField()
    until = models.BigIntegerField(null=True)
    """Until when a former one holds; null for the present one."""

    def __str__(self) -> str:
        return f"a secret of {self.trigger_id}"
