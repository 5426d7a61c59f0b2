"""What was said to a person on the cards of workflows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet

from builder.models import CommentNotice, Membership, Node
from builder.services.people.commenting.following import label_of


def said_to(member: Membership, *, unread: bool) -> QuerySet[CommentNotice]:
    """Return what was said to the member in the workspace, of workflows that are still there."""
    rows = CommentNotice.objects.filter(
        user=member.user_id,
        comment__thread__graph__workspace=member.workspace_id,
        comment__thread__graph__archived_at=None,
    ).select_related("comment__thread__graph", "comment__author")
    return rows.filter(read_at=None) if unread else rows


def labels_of(rows: Iterable[CommentNotice]) -> Mapping[str, str]:
    """Return what the cards of threads are called now, by the thread's id, in one query."""
    threads = {row.comment.thread_id: row.comment.thread for row in rows}
    nodes = Node.objects.filter(
        graph__in={thread.graph_id for thread in threads.values()},
        node_id__in={thread.node for thread in threads.values()},
    )
    cards: dict[tuple[str, str], Any] = {
        (graph, node): data for graph, node, data in nodes.values_list("graph", "node_id", "data")
    }
    return {
        key: label_of(card) if (card := cards.get((thread.graph_id, thread.node))) else thread.label
        for key, thread in threads.items()
    }
