"""Threads as lists show them: what the card is called now, how each begins, how long it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, OuterRef, QuerySet, Subquery

from builder.models import CardComment, CommentThread, Graph, Node
from builder.services.people.commenting.following import label_of


@dataclass(frozen=True, slots=True)
class Heading:
    """A thread with what its card is called, and whether that is gone."""

    thread: CommentThread
    label: str
    gone: bool
    count: int
    last_at: datetime
    first: CardComment


def headed(graph: Graph) -> QuerySet[CommentThread]:
    """Return the threads of a workflow with what `headings` reads of them."""
    comments = CardComment.objects.filter(thread=OuterRef("pk")).order_by("at", "id")
    return (
        CommentThread.objects.filter(graph=graph)
        .select_related("resolved_by")
        .annotate(
            first_pk=Subquery(comments.values("pk")[:1]),
            said=Count("comments"),
            last_at=Max("comments__at"),
        )
    )


def headings(graph: Graph, threads: Iterable[Any]) -> list[Heading]:
    """Return threads of `headed` in their order, by two queries whatever their number."""
    rows = list(threads)
    nodes = Node.objects.filter(graph=graph, node_id__in={thread.node for thread in rows})
    cards: Mapping[str, Any] = dict(nodes.values_list("node_id", "data"))
    first = CardComment.objects.select_related("author").in_bulk(
        [thread.first_pk for thread in rows]
    )
    return [
        Heading(
            thread,
            label=label_of(cards[thread.node]) if thread.node in cards else thread.label,
            gone=thread.node not in cards,
            count=thread.said,
            last_at=thread.last_at,
            first=first[thread.first_pk],
        )
        for thread in rows
        if thread.first_pk in first
    ]
