"""The processes that run activations."""

from __future__ import annotations

from django.db import models
from django.db.models import Max

from engine.runtime.stores.sql.ownership import ALIVE_MS


class WorkerQuerySet(models.QuerySet["Worker"]):
    """Processes that run now, and that ran lately."""

    def alive(self) -> WorkerQuerySet:
        """Those that were seen about as lately as any: their own beats are the clock."""
        latest = self.aggregate(last=Max("last_seen_at"))["last"] or 0
        return self.filter(last_seen_at__gt=latest - ALIVE_MS)


class Worker(models.Model):
    """A process of this installation: it serves people, executes runs, or both.

    `kind` is the command that it runs; `draining` says that it was told to end and takes no more.
    """

    boot_id = models.CharField(primary_key=True, max_length=64)
    host = models.CharField(max_length=255)
    pid = models.BigIntegerField(verbose_name="process")
    started_at = models.BigIntegerField()
    last_seen_at = models.BigIntegerField(db_index=True)
    kind = models.CharField(max_length=16, default="serve", db_default="serve")
    version = models.CharField(max_length=32, default="", db_default="")
    draining = models.BooleanField(default=False, db_default=False)

    objects = WorkerQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.host} {self.pid}"
