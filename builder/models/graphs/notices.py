"""Who is to learn of a comment, and whether they have."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.graphs.comments import CardComment
from builder.models.workspaces import User


class CommentNotice(models.Model):
    """A comment that speaks to somebody: it names them, or goes on where they have spoken."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="comment_notices")
    comment = models.ForeignKey(CardComment, on_delete=models.CASCADE, related_name="notices")
    named = models.BooleanField()
    at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "comment"], name="comment_notice_once"),
        )
        indexes = (
            models.Index(fields=["user", "at"], name="comment_notice_list"),
            models.Index(
                fields=["user"], condition=Q(read_at__isnull=True), name="comment_notice_unread"
            ),
        )

    def __str__(self) -> str:
        return f"{self.comment_id} to {self.user_id}"
