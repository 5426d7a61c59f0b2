"""What people say about a card of a draft: threads and their comments, in no document."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.graphs import Graph
from builder.models.ids import new_id
from builder.models.workspaces import User


class CommentThread(models.Model):
    """A thread on a node of a draft; it stays where the node is deleted, under the `label` it had."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    graph = models.ForeignKey(Graph, on_delete=models.CASCADE, related_name="threads")
    node = models.CharField(max_length=128)
    label = models.CharField(max_length=200)
    opened_at = models.DateTimeField(auto_now_add=True)
    resolved_at = models.DateTimeField(null=True)
    resolved_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ("opened_at", "id")
        indexes = (
            models.Index(
                fields=["graph", "opened_at"],
                condition=Q(resolved_at__isnull=True),
                name="thread_open",
            ),
        )

    def __str__(self) -> str:
        return f"{self.node} of {self.graph_id}"


class CardComment(models.Model):
    """One entry of a thread; `mentions` are the people it names, `{id, name}` as they were called."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    thread = models.ForeignKey(CommentThread, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.TextField()
    mentions = models.JSONField(default=list)
    at = models.DateTimeField(auto_now_add=True)
    edited_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("at", "id")
        indexes = (models.Index(fields=["author", "at"], name="card_comment_rate"),)

    def __str__(self) -> str:
        return f"{self.author_id} {self.thread_id}"
