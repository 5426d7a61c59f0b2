"""What is to be done outside the transaction that asked for it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


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
