"""What somebody wants to publish where that needs another person's approval."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.graphs import Graph, GraphVersion
from builder.models.ids import new_id
from builder.models.workspaces import User


class Publication(models.Model):
    """One request to make `version` live; the approval is that of `run`, a run of its own.

    `base` is what was live when it was asked, null where nothing was. `detail` says why it came to
    nothing; `asked_at` and `ended_at` are milliseconds.
    """

    class State(models.TextChoices):
        OPEN = "open"
        PUBLISHED = "published"
        REJECTED = "rejected"
        WITHDRAWN = "withdrawn"
        EXPIRED = "expired"
        OVERTAKEN = "overtaken"
        REFUSED = "refused"

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    graph = models.ForeignKey(Graph, on_delete=models.CASCADE, related_name="publications")
    version = models.ForeignKey(GraphVersion, on_delete=models.CASCADE, related_name="+")
    base = models.ForeignKey(GraphVersion, null=True, on_delete=models.SET_NULL, related_name="+")
    published = models.ForeignKey(
        GraphVersion, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    note = models.TextField(blank=True)
    asked_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    asked_at = models.BigIntegerField()
    run = models.CharField(max_length=36, blank=True, db_index=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.OPEN)
    decided_by = models.CharField(max_length=64, blank=True)
    detail = models.TextField(blank=True)
    ended_at = models.BigIntegerField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["graph"], condition=Q(state="open"), name="one_open_publication"
            ),
        )
        indexes = (models.Index(fields=["graph", "-asked_at"], name="publication_recent"),)

    def __str__(self) -> str:
        return f"{self.state} {self.id[:8]}"
