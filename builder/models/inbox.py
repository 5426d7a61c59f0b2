"""What people do around an interrupt. The engine's store writes `Decision` and `Asked`; the
services write claims, snoozes, delegations and comments, of which the engine knows nothing.
"""

from __future__ import annotations

from django.db import models

from builder.models.ledger import Interrupt
from builder.models.workspaces import User


class Decision(models.Model):
    """What one person said of an approval that needs several; a projection of the run's log."""

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="decisions")
    decided_by = models.CharField(max_length=64)
    decision = models.CharField(max_length=16)
    decided_at = models.BigIntegerField()
    seq = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["interrupt", "decided_by"], name="one_decision_each"),
        )

    def __str__(self) -> str:
        return f"{self.decided_by} {self.decision} {self.interrupt_id}"


class Lapse(models.Model):
    """What one person said of an approval and counts no more, until they decide again.

    `decided_seq` and `lapsed_seq` are the events that recorded it and dropped it; `reason` is
    `content_changed` (they are asked again) or `not_eligible`. A projection of the run's log.
    """

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="lapses")
    decided_by = models.CharField(max_length=64)
    decision = models.CharField(max_length=16)
    decided_seq = models.BigIntegerField()
    lapsed_seq = models.BigIntegerField()
    lapsed_at = models.BigIntegerField()
    reason = models.CharField(max_length=32)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["interrupt", "decided_by"], name="one_lapse_each"),
        )

    def __str__(self) -> str:
        return f"{self.decided_by} {self.reason} {self.interrupt_id}"


class Asked(models.Model):
    """One `user:x`, `group:y` or `role:z` whom an interrupt asks; none: whoever may by role."""

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="asked")
    principal = models.CharField(max_length=300)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["interrupt", "principal"], name="asked_once"),
        )

    def __str__(self) -> str:
        return f"{self.principal} {self.interrupt_id}"


class Claim(models.Model):
    """Somebody is looking at it: others see that, and may still decide."""

    interrupt = models.OneToOneField(
        Interrupt, primary_key=True, on_delete=models.CASCADE, related_name="claim"
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="claims")
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.user_id} {self.interrupt_id}"


class Snooze(models.Model):
    """Somebody does not want to see it before `until`."""

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="snoozes")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="snoozes")
    until = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["interrupt", "user"], name="one_snooze_each"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} {self.interrupt_id} until {self.until}"


class Delegation(models.Model):
    """Somebody asked another person, who may decide it too, to do so."""

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="delegations")
    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="delegated")
    to = models.ForeignKey(User, on_delete=models.CASCADE, related_name="delegations")
    note = models.CharField(max_length=1_000, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.by_id} to {self.to_id} {self.interrupt_id}"


class Comment(models.Model):
    """One entry of the thread beside an interrupt: asked or answered before it is decided."""

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.TextField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"{self.author_id} {self.interrupt_id}"
