"""The processes that run activations."""

from __future__ import annotations

from django.db import models


class Worker(models.Model):
    """A process of this installation: it serves people, executes runs, or both.

    `kind` is the command that it runs; `draining` says that it was told to end and takes no more.
    """

    boot_id = models.CharField(primary_key=True, max_length=64)
    host = models.CharField(max_length=255)
    pid = models.BigIntegerField()
    started_at = models.BigIntegerField()
    last_seen_at = models.BigIntegerField(db_index=True)
    kind = models.CharField(max_length=16, default="serve", db_default="serve")
    version = models.CharField(max_length=32, default="", db_default="")
    draining = models.BooleanField(default=False, db_default=False)

    def __str__(self) -> str:
        return f"{self.host} {self.pid}"
