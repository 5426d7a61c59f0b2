"""What people did, in a chain that shows when an entry was changed or removed."""

# ruff: noqa: DJ001  (absent is null here: a unique index over what is there relies on it)
from __future__ import annotations

from django.db import models

from builder.models.querysets import AuditQuerySet
from builder.models.runs import PlaceField
from builder.models.workspaces import Workspace


class AuditEntry(models.Model):
    """One action. `entry_hash` = sha256(`prev_hash` + `entry`); `n` is dense in a workspace.

    Append-only: triggers in the database refuse updates and deletes.
    """

    workspace = models.ForeignKey(Workspace, on_delete=models.PROTECT, related_name="audit_log")
    n = models.PositiveBigIntegerField(verbose_name="number")
    prev_hash = models.CharField(max_length=64, verbose_name="hash of the entry before")
    entry = models.TextField()
    entry_hash = models.CharField(max_length=64, verbose_name="hash")
    at = models.DateTimeField()
    ref = models.CharField(max_length=64, null=True, verbose_name="event")
    """Which event of a run's log it tells of, `run:seq`; null for actions that no log has."""

    objects = AuditQuerySet.as_manager()

    class Meta:
        ordering = ("workspace", "n")
        verbose_name_plural = "audit entries"
        constraints = (
            models.UniqueConstraint(fields=["workspace", "n"], name="audit_entry_order"),
            models.UniqueConstraint(
                fields=["ref"], condition=models.Q(ref__isnull=False), name="audit_entry_of_event"
            ),
        )

    def __str__(self) -> str:
        return f"{self.workspace_id} {self.n}"


class PendingDeed(models.Model):
    """An event that belongs into the audit log and is not there yet; written with the event."""

    place = PlaceField(primary_key=True)

    def __str__(self) -> str:
        return str(self.place)


class RefusedSignIns(models.Model):
    """How often sign-ins to one account were refused of late; one row an account, "" for none.

    `count` are those that the audit log does not tell of yet.
    """

    account = models.CharField(primary_key=True, max_length=36)
    since = models.DateTimeField()
    last_at = models.DateTimeField()
    count = models.PositiveBigIntegerField()

    class Meta:
        verbose_name = "refused sign-in"
        verbose_name_plural = "refused sign-ins"

    def __str__(self) -> str:
        return f"{self.account or 'nobody'}: {self.count}"
