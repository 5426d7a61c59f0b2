"""What runs wait for and spend: timers, interrupts, budgets, the outbox, workers, breakers.

Written by the engine's store only, as `builder.models.runs`.
"""

# ruff: noqa: DJ001  (absent is null here: raw SQL and partial indexes rely on it)
from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.querysets import BreakerQuerySet, InterruptQuerySet
from builder.models.workspaces import Workspace


class Timer(models.Model):
    """Something that is due at `fire_at`."""

    id = models.CharField(primary_key=True, max_length=300)
    run = models.CharField(max_length=36, db_index=True)
    key = models.CharField(max_length=500, null=True)
    kind = models.CharField(max_length=32)
    fire_at = models.BigIntegerField(db_index=True)

    def __str__(self) -> str:
        return self.id


class Interrupt(models.Model):
    """A pause that waits for an answer; what was asked and answered is in the log."""

    class Status(models.TextChoices):
        OPEN = "open"
        ANSWERED = "answered"
        EXPIRED = "expired"
        CANCELLED = "cancelled"
        SUPERSEDED = "superseded"

    request_id = models.CharField(primary_key=True, max_length=64)
    run = models.CharField(max_length=36, db_index=True)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="interrupts")
    key = models.CharField(max_length=500)
    node = models.CharField(max_length=128)
    kind = models.CharField(max_length=16)
    status = models.CharField(max_length=16, choices=Status.choices, db_index=True)
    opened_at = models.BigIntegerField()
    expires_at = models.BigIntegerField(null=True)
    opened_seq = models.BigIntegerField()
    resolved_seq = models.BigIntegerField(null=True)
    content_hash = models.CharField(max_length=64, null=True)
    decided_by = models.CharField(max_length=64, null=True)
    decided_at = models.BigIntegerField(null=True)
    outcome = models.CharField(max_length=32, null=True)
    edited_seq = models.BigIntegerField(null=True)
    reminded_at = models.BigIntegerField(null=True)
    escalated_seq = models.BigIntegerField(null=True)

    objects = InterruptQuerySet.as_manager()

    class Meta:
        indexes = (
            models.Index(fields=["workspace", "status", "-opened_at"], name="interrupt_inbox"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.request_id}"


class Budget(models.Model):
    """A limit on one level and what is spent and held against it.

    `raised` is what people added for this period alone, `reached` the last threshold announced.
    """

    id = models.CharField(primary_key=True, max_length=200)
    level = models.CharField(max_length=16)
    workspace = models.ForeignKey(
        Workspace, null=True, on_delete=models.CASCADE, related_name="budgets"
    )
    limit_tokens = models.BigIntegerField(null=True)
    limit_pico = models.BigIntegerField(null=True)
    spent_tokens = models.BigIntegerField(default=0)
    spent_pico = models.BigIntegerField(default=0)
    held_tokens = models.BigIntegerField(default=0)
    held_pico = models.BigIntegerField(default=0)
    raised_tokens = models.BigIntegerField(default=0, db_default=0)
    raised_pico = models.BigIntegerField(default=0, db_default=0)
    reached = models.IntegerField(default=0, db_default=0)

    def __str__(self) -> str:
        return self.id


class BudgetHold(models.Model):
    """Money and tokens set aside for one call on every budget it counts against."""

    id = models.CharField(primary_key=True, max_length=200)
    run = models.CharField(max_length=36, db_index=True)
    key = models.CharField(max_length=500)
    budgets = models.TextField()
    tokens = models.BigIntegerField()
    pico = models.BigIntegerField()
    state = models.CharField(max_length=16)

    def __str__(self) -> str:
        return self.id


class Outbox(models.Model):
    """Something to be done outside the transaction that asked for it."""

    topic = models.CharField(max_length=32)
    ref = models.CharField(max_length=200)
    payload = models.TextField(default="{}")
    available_at = models.BigIntegerField()
    tries = models.IntegerField(default=0)
    done_at = models.BigIntegerField(null=True)

    class Meta:
        verbose_name_plural = "outbox"
        indexes = (
            models.Index(
                fields=["available_at"], condition=Q(done_at__isnull=True), name="outbox_due"
            ),
        )

    def __str__(self) -> str:
        return f"{self.topic} {self.ref}"


class Worker(models.Model):
    """A process that runs activations."""

    boot_id = models.CharField(primary_key=True, max_length=64)
    host = models.CharField(max_length=255)
    pid = models.BigIntegerField()
    started_at = models.BigIntegerField()
    last_seen_at = models.BigIntegerField(db_index=True)

    def __str__(self) -> str:
        return f"{self.host} {self.pid}"


class Breaker(models.Model):
    """A circuit breaker of one node and target, kept across runs."""

    id = models.CharField(primary_key=True, max_length=300)
    workspace = models.ForeignKey(
        Workspace, null=True, on_delete=models.CASCADE, related_name="breakers"
    )
    node = models.CharField(max_length=128)
    target = models.CharField(max_length=200)
    state = models.CharField(max_length=16, default="closed")
    failures = models.IntegerField(default=0)
    successes = models.IntegerField(default=0)
    opened_at = models.BigIntegerField(null=True)

    objects = BreakerQuerySet.as_manager()

    def __str__(self) -> str:
        return self.id
