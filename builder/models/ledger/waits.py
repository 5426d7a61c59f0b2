"""What runs wait for: moments, and answers."""

# ruff: noqa: DJ001  (absent is null here: raw SQL and partial indexes rely on it)
from __future__ import annotations

from django.db import models
from django.db.models import F

from builder.models.ledger.asking import deadline_order, decided_order
from builder.models.querysets import InterruptQuerySet
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
    """A pause that waits for an answer; what was asked and answered is in the log.

    `approval_type` says what an approval is about: `human_review` of a step, `tool_call` of an agent.
    """

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
    node = models.CharField(max_length=128, verbose_name="step")
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
    approval_type = models.CharField(max_length=16, default="", db_default="")

    objects = InterruptQuerySet.as_manager()

    class Meta:
        verbose_name = "item"
        indexes = (
            models.Index(fields=["workspace", "status", "-opened_at"], name="interrupt_inbox"),
            models.Index(
                "workspace",
                decided_order().desc(),
                F("request_id").desc(),
                name="interrupt_done",
            ),
            models.Index(
                "workspace", "status", deadline_order(), "request_id", name="interrupt_due"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.request_id}"
