"""What people asked a model to draft: the words, and the run whose answer they judge."""

from __future__ import annotations

from typing import Self

from django.db import models

from builder.models.graphs import Graph
from builder.models.ids import new_id
from builder.models.querysets import ScopedQuerySet
from builder.models.workspaces import User, Workspace


class ProposalQuerySet(ScopedQuerySet["DraftProposal"]):
    """Drafts from words."""

    def open(self) -> Self:
        """Those that their person has neither taken nor dismissed."""
        return self.filter(closed_at__isnull=True)


class DraftProposal(models.Model):
    """A draft from words: for a graph, or for a new one where `graph` is None.

    `base` is the draft that was to be changed as it stood then, empty for a new workflow.
    `run` is the run that asks the model; what it answered is the run's result. `closed_at` is when
    its person took or dismissed it, `taken` how many parts they took.
    """

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="proposals")
    graph = models.ForeignKey(Graph, null=True, on_delete=models.CASCADE, related_name="proposals")
    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    words = models.TextField()
    model = models.CharField(max_length=200)
    base = models.JSONField(default=dict)
    run = models.CharField(max_length=36)
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True)
    taken = models.PositiveIntegerField(null=True)

    objects = ProposalQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "pk")
        indexes = (
            models.Index(
                fields=["by", "workspace"],
                condition=models.Q(closed_at__isnull=True),
                name="proposal_open",
            ),
        )

    def __str__(self) -> str:
        return self.words[:60]
