"""How programs find a workflow: as a tool of the MCP server, as a model of `/v1`."""

# ruff: noqa: DJ001  (absent is null here: the unique index relies on it)
from __future__ import annotations

from django.db import models

from builder.models.graphs import Graph
from builder.models.querysets import ScopedQuerySet
from builder.models.workspaces import User, Workspace


class OfferQuerySet(ScopedQuerySet["Offer"]):
    """What a workspace offers to programs."""

    def standing(self) -> OfferQuerySet:
        """Offers of workflows that nobody deleted."""
        return self.filter(graph__archived_at__isnull=True)


class Offer(models.Model):
    """A workflow's published version as others call it; no part of its document."""

    graph = models.OneToOneField(
        Graph, primary_key=True, on_delete=models.CASCADE, related_name="offer"
    )
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="offers")
    tool_name = models.CharField(max_length=60, null=True)
    """Its name among the tools of the workspace; null while it is none."""
    chat = models.BooleanField(default=False)
    """Whether `/v1` lists it among its models."""
    changed_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    objects = OfferQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["workspace", "tool_name"], name="tool_name_in_workspace"
            ),
        )

    def __str__(self) -> str:
        return self.tool_name or "no tool"
