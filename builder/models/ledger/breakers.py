"""Circuit breakers, kept across runs."""

from __future__ import annotations

from django.db import models

from builder.models.querysets import BreakerQuerySet
from builder.models.workspaces import Workspace


class Breaker(models.Model):
    """A circuit breaker of one node and target, kept across runs.

    `epoch` counts what was decided: who decides on what was otherwise meanwhile changes nothing.
    `changed_at` is in milliseconds since the epoch, by the database's clock.
    """

    id = models.CharField(primary_key=True, max_length=300)
    workspace = models.ForeignKey(
        Workspace, null=True, on_delete=models.CASCADE, related_name="breakers"
    )
    node = models.CharField(max_length=128, verbose_name="type of step")
    target = models.CharField(max_length=200)
    state = models.CharField(max_length=16, default="closed")
    failures = models.IntegerField(default=0)
    successes = models.IntegerField(default=0)
    opened_at = models.BigIntegerField(null=True)
    probe = models.CharField(max_length=600, blank=True, default="", db_default="")
    probed_at = models.BigIntegerField(default=0, db_default=0)
    epoch = models.BigIntegerField(default=0, db_default=0)
    changed_at = models.BigIntegerField(default=0, db_default=0, db_index=True)

    objects = BreakerQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.node} at {self.target}"
