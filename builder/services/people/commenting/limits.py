"""How much may be said on the cards of one workflow, and how fast."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from builder.base.errors import Conflict, TooMany
from builder.models import CardComment, CommentThread, Graph, ItemMention, User

MOST_OPEN: Final = 200
"""Open threads of one workflow."""
MOST_THREADS: Final = 2_000
"""Threads of one workflow, those that were resolved included."""
MOST_COMMENTS: Final = 200
"""Comments of one thread."""
MOST_A_MINUTE: Final = 20
"""Comments of one person, in all workspaces, and what names somebody at items of the inbox."""


def require_room(graph: Graph) -> None:
    """Raise `Conflict` `TooManyThreads` where another open thread has no room."""
    if graph.threads.filter(resolved_at=None).count() >= MOST_OPEN:
        raise Conflict(
            f"a workflow has at most {MOST_OPEN} open threads: resolve one", code="TooManyThreads"
        )


def require_room_to_begin(graph: Graph) -> None:
    """Raise `Conflict` `TooManyThreads` where one more thread has no room."""
    require_room(graph)
    if graph.threads.count() >= MOST_THREADS:
        raise Conflict(f"a workflow has at most {MOST_THREADS} threads", code="TooManyThreads")


def require_end(thread: CommentThread) -> None:
    """Raise `Conflict` `ThreadFull` where a thread is as long as it may be."""
    if thread.comments.count() >= MOST_COMMENTS:
        raise Conflict(
            f"a thread has at most {MOST_COMMENTS} comments: begin another", code="ThreadFull"
        )


def require_pace(person: User) -> None:
    """Raise `TooMany` `TooManyComments` for somebody who wrote so many within the last minute."""
    since = timezone.now() - timedelta(minutes=1)
    mine = {"author": person.pk, "at__gt": since}
    said = CardComment.objects.filter(**mine).count() + ItemMention.objects.filter(**mine).count()
    if said >= MOST_A_MINUTE:
        raise TooMany(
            f"at most {MOST_A_MINUTE} comments a minute", code="TooManyComments", retry_after_s=60
        )
