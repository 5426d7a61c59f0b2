"""What people want to be told of while they do not look, and when it was so.

Times are milliseconds since the epoch.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.graphs import Graph
from builder.models.ids import new_id
from builder.models.querysets import ScopedQuerySet
from builder.models.workspaces import Workspace


class AlertRuleQuerySet(ScopedQuerySet["AlertRule"]):
    """What a workspace is told of."""


class AlertRule(models.Model):
    """Something that is counted again and again, and from how many on people are told.

    `threshold` is a number of runs or items, with `budget` a share in percent, with `spend`
    pico-dollars. `to` names who is told: `user:x`, `group:y`, `role:z`.
    """

    class What(models.TextChoices):
        FAILURES = "failures"
        SPEND = "spend"
        BUDGET = "budget"
        WAITING = "waiting"
        STUCK = "stuck"
        IN_DOUBT = "in_doubt"
        PROVIDER_DOWN = "provider_down"

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="alert_rules")
    graph = models.ForeignKey(
        Graph, null=True, on_delete=models.CASCADE, related_name="alert_rules"
    )
    what = models.CharField(max_length=16, choices=What.choices)
    threshold = models.BigIntegerField()
    window_minutes = models.IntegerField(default=60)
    to = models.JSONField(default=list)
    muted_until = models.BigIntegerField(null=True)
    made_at = models.BigIntegerField()

    objects = AlertRuleQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.what} {self.threshold}"


class Alert(models.Model):
    """A rule was met from `opened_at` on; while it is, `closed_at` is null. One of each is open."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    rule = models.ForeignKey(AlertRule, on_delete=models.CASCADE, related_name="alerts")
    opened_at = models.BigIntegerField()
    closed_at = models.BigIntegerField(null=True)
    value = models.BigIntegerField()
    """What was counted at `looked_at`, in the unit of the rule's threshold."""
    looked_at = models.BigIntegerField()
    told_at = models.BigIntegerField(null=True)
    """When mail about it was asked for; null while the rule is muted."""
    said = models.CharField(max_length=300, default="", db_default="")
    """Which budget it was and how much of how much, at `looked_at`; empty of other rules."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["rule"], condition=Q(closed_at__isnull=True), name="one_open_alert"
            ),
        )
        indexes = (models.Index(fields=["rule", "-opened_at"], name="alert_recent"),)

    def __str__(self) -> str:
        return f"{self.rule_id[:8]} {self.value}"
