"""Who is to learn of a comment, and whether they have."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.graphs.comments import CardComment
from builder.models.inbox import ItemMention
from builder.models.workspaces import User


class CommentNotice(models.Model):
    """Words that speak to somebody: they name them, or go on where they have spoken.

    Either a `comment` on a card, or a `mention` at an item of the inbox.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="comment_notices")
    comment = models.ForeignKey(
        CardComment, null=True, on_delete=models.CASCADE, related_name="notices"
    )
    mention = models.ForeignKey(
        ItemMention, null=True, on_delete=models.CASCADE, related_name="notices"
    )
    named = models.BooleanField()
    at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "comment"], name="comment_notice_once"),
            models.UniqueConstraint(fields=["user", "mention"], name="item_mention_notice_once"),
            models.CheckConstraint(
                condition=Q(comment__isnull=False, mention__isnull=True)
                | Q(comment__isnull=True, mention__isnull=False),
                name="comment_notice_of_one",
            ),
        )
        indexes = (
            models.Index(fields=["user", "at"], name="comment_notice_list"),
            models.Index(
                fields=["user"], condition=Q(read_at__isnull=True), name="comment_notice_unread"
            ),
        )

    def __str__(self) -> str:
        return f"{self.comment_id or self.mention_id} to {self.user_id}"
