"""What came in at a door: each row is committed before anything starts. Times are milliseconds."""

# ruff: noqa: DJ001  (absent is null here)
from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.doors.triggers import Trigger
from builder.models.ids import new_id
from builder.models.querysets import ScopedQuerySet


class DeliveryQuerySet(ScopedQuerySet["Delivery"]):
    """What came in at the doors of a workspace."""

    workspace_path = "door__workspace"


class Delivery(models.Model):
    """Something that a door took in, and what became of it: one run a key.

    `input` is mapped once, when it comes in: a start that is repeated is the same start.
    """

    class State(models.TextChoices):
        RECEIVED = "received"
        STARTED = "started"
        REFUSED = "refused"

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    door = models.ForeignKey(Trigger, on_delete=models.CASCADE, related_name="deliveries")
    key = models.CharField(max_length=200)
    """What the sender calls it; of those that were turned away a random one."""
    state = models.CharField(max_length=16, choices=State.choices, default=State.RECEIVED)
    code = models.CharField(max_length=64, default="", blank=True)
    reason = models.CharField(max_length=500, default="", blank=True)
    """Why it was refused, in words."""
    sample = models.TextField(default="null")
    """JSON of `{body, headers, query}` as it came in; null where nobody signed it."""
    input = models.TextField(default="null")
    """JSON: text, as a database's own form of it takes no NUL and writes numbers anew."""
    body_hash = models.CharField(max_length=64, default="", blank=True)
    run = models.CharField(max_length=36, null=True)
    at = models.BigIntegerField()
    repeats = models.IntegerField(default=0)
    """How often it came again."""
    differed = models.BooleanField(default=False)
    """Whether it came again with another body: what came first counts."""
    available_at = models.BigIntegerField()
    """From when on the start may be tried again."""
    tries = models.IntegerField(default=0)
    cause = models.CharField(max_length=36, null=True)
    """The run in which that happened which came in."""
    depth = models.SmallIntegerField(default=0, db_default=0)
    """How many starts by events led to this one, with it; 0 for what no event brought."""

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["door", "key"], name="delivery_once"),)
        indexes = (
            models.Index(fields=["door", "-at"], name="delivery_recent"),
            models.Index(
                fields=["available_at"], condition=Q(state="received"), name="delivery_open"
            ),
            models.Index(
                fields=["door", "-at"], condition=Q(state="refused"), name="delivery_refused"
            ),
            models.Index(fields=["at"], name="delivery_age"),
        )

    def __str__(self) -> str:
        return f"{self.state} {self.key[:40]}"
