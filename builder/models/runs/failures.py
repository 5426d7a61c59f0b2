"""Why runs failed: failures alike are one cause, which people look after.

The engine's store counts a failure in the commit of the run's end (`builder.adapters.run_store`);
the services write who looks after a cause, and until when. Times are milliseconds since the epoch.
"""

# ruff: noqa: DJ001  (absent is null here: raw SQL relies on it)
from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Case, CharField, Exists, F, OuterRef, Q, Value, When

from builder.base.failure_words import REJECTED
from builder.models.graphs import Graph, GraphVersion
from builder.models.querysets import CauseQuerySet
from builder.models.runs import PlaceField
from builder.models.workspaces import User, Workspace
from engine.core.errors import UNDECIDED

SAID_NO: Final = "rejected"
"""What stands for the status of a run that ended as a person said no; in its row it is `failed`."""


OF_FAILURES: Final = ~(Q(code=REJECTED) & ~Q(sample=UNDECIDED))
"""Of causes, those without what people rejected: that is a decision."""


class FailureCause(models.Model):
    """Failures of one workflow at one node with one code and alike messages (`failure_words`).

    What people rejected at a node is one cause, whatever they said.
    """

    class State(models.TextChoices):
        OPEN = "open"
        MUTED = "muted"
        RESOLVED = "resolved"

    id = models.CharField(primary_key=True, max_length=64)
    """The hash of what they have in common."""
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="causes")
    graph = models.ForeignKey(Graph, null=True, on_delete=models.SET_NULL, related_name="causes")
    graph_slug = models.CharField(max_length=128)
    node = models.CharField(max_length=200, default="")
    label = models.CharField(max_length=200, default="")
    """What people called the node when it last failed."""
    code = models.CharField(max_length=128)
    sample = models.TextField()
    """The message of the latest failure, bounded."""
    count = models.BigIntegerField(default=1)
    """Of the runs that are kept."""
    first_at = models.BigIntegerField()
    last_at = models.BigIntegerField()
    first_version = models.ForeignKey(
        GraphVersion, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    last_version = models.ForeignKey(
        GraphVersion, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    state = models.CharField(max_length=16, choices=State.choices, default=State.OPEN)
    muted_until = models.BigIntegerField(null=True)
    """With `muted`: it counts as open from then on."""
    resolved_at = models.BigIntegerField(null=True)
    """With `resolved`: a run that started later and fails alike opens it again; it stays with what came back."""
    assignee = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    reopened_by = models.CharField(max_length=36, null=True)
    """The run that opened it again, until the audit log tells of it."""

    objects = CauseQuerySet.as_manager()

    class Meta:
        indexes = (
            models.Index(fields=["workspace", "-last_at"], name="cause_recent"),
            models.Index(
                fields=["reopened_by"],
                condition=models.Q(reopened_by__isnull=False),
                name="cause_reopened",
            ),
        )

    def __str__(self) -> str:
        return f"{self.graph_slug} {self.node} {self.code}"


class RunFailure(models.Model):
    """A run failed, of which cause; `number` is the run's."""

    number = PlaceField(primary_key=True)
    cause = models.ForeignKey(FailureCause, on_delete=models.CASCADE, related_name="failures")
    at = models.BigIntegerField()
    retried_by = models.CharField(max_length=36, null=True)
    """The first run that went on where this one failed."""

    class Meta:
        indexes = (models.Index(fields=["cause", "at"], name="failure_of_cause"),)

    def __str__(self) -> str:
        return f"{self.number} {self.cause_id[:8]}"


def was_rejected() -> Q:
    """Return the condition under which a run ended as a person said no, for queries that count runs."""
    refused = RunFailure.objects.filter(number=OuterRef("number"), cause__code=REJECTED)
    return Q(Exists(refused.exclude(cause__sample=UNDECIDED)), status="failed")


def told_status() -> Case:
    """Return a run's status as people are told it, `SAID_NO` beside those of its column."""
    no = When(was_rejected(), then=Value(SAID_NO))
    return Case(no, default=F("status"), output_field=CharField())


def told_of(run: models.Model) -> str:
    """Return what `told_status` came to, of a run that was read with it as `told`."""
    told: str = vars(run)["told"]
    return told
