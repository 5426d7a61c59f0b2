"""Runs whose logs went into files, runs that are kept whatever their age, and rules of workflows."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.graphs import Graph
from builder.models.workspaces import User


class RunArchive(models.Model):
    """The file of one archived run; the row stays a day after the run was deleted, then both go.

    Times are milliseconds since the epoch, sizes bytes. `parts` is the index of the file.
    """

    run = models.CharField(primary_key=True, max_length=36)
    head = models.BigIntegerField()
    """The last seq that is in the file."""
    at = models.BigIntegerField()
    size = models.BigIntegerField()
    plain = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    parts = models.TextField()
    gone_at = models.BigIntegerField(null=True)

    class Meta:
        indexes = (
            models.Index(
                fields=["gone_at"], condition=Q(gone_at__isnull=False), name="archive_gone"
            ),
        )

    def __str__(self) -> str:
        return self.run


class KeptRun(models.Model):
    """A run that is neither archived nor deleted by age until somebody lets it go."""

    run = models.CharField(primary_key=True, max_length=36)
    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.BigIntegerField()

    def __str__(self) -> str:
        return self.run


class OldRuns(models.TextChoices):
    """What becomes of runs whose time is over."""

    DELETE = "delete"
    ARCHIVE = "archive"


class RetentionRule(models.Model):
    """How long one workflow keeps its runs, in place of what the workspace says; no days: for ever."""

    graph = models.OneToOneField(
        Graph, primary_key=True, on_delete=models.CASCADE, related_name="retention"
    )
    days = models.IntegerField(null=True)
    then = models.CharField(max_length=16, choices=OldRuns.choices, default=OldRuns.ARCHIVE)

    def __str__(self) -> str:
        return f"{self.graph_id}: {self.days} days"
