"""What people did, in a chain that shows when an entry was changed or removed."""

from __future__ import annotations

from django.db import models

from builder.models.workspaces import Workspace
from builder.querysets import AuditQuerySet


class AuditEntry(models.Model):
    """One deed. `entry_hash` = sha256(`prev_hash` + `entry`); `n` is dense in a workspace.

    Append-only: triggers in the database refuse updates and deletes.
    """

    workspace = models.ForeignKey(Workspace, on_delete=models.PROTECT, related_name="audit_log")
    n = models.PositiveBigIntegerField()
    prev_hash = models.CharField(max_length=64)
    entry = models.TextField()
    entry_hash = models.CharField(max_length=64)
    at = models.DateTimeField()

    objects = AuditQuerySet.as_manager()

    class Meta:
        ordering = ("workspace", "n")
        verbose_name_plural = "audit entries"
        constraints = (
            models.UniqueConstraint(fields=["workspace", "n"], name="audit_entry_order"),
        )

    def __str__(self) -> str:
        return f"{self.workspace_id} {self.n}"
