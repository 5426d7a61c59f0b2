"""The processes that run activations."""

from __future__ import annotations

from django.db import models


class Worker(models.Model):
    """A process that runs activations."""

    boot_id = models.CharField(primary_key=True, max_length=64)
    host = models.CharField(max_length=255)
    pid = models.BigIntegerField()
    started_at = models.BigIntegerField()
    last_seen_at = models.BigIntegerField(db_index=True)

    def __str__(self) -> str:
        return f"{self.host} {self.pid}"
