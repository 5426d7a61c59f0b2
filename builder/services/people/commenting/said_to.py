"""What was said to a person on the cards of workflows, and at items of the inbox."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from builder.models import CommentNotice, CommentThread, Membership, Node, Run
from builder.services.people.commenting.following import label_of
from builder.services.people.commenting.telling import in_workspace


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was said: at which node, what its card or the item is called, in which workflow.

    `graph` is None where the workflow is gone.
    """

    node: str
    label: str
    graph: str | None
    name: str


def said_to(member: Membership, *, unread: bool) -> QuerySet[CommentNotice]:
    """Return what was said to the member in the workspace, of workflows that are still there."""
    kept = Q(comment=None) | Q(comment__thread__graph__archived_at=None)
    rows = CommentNotice.objects.filter(in_workspace(member), kept, user=member.user_id)
    rows = rows.select_related(
        "comment__thread__graph",
        "comment__author",
        "mention__author",
        "mention__interrupt__card",
    )
    return rows.filter(read_at=None) if unread else rows


def places_of(rows: Iterable[CommentNotice]) -> Mapping[int, Place]:
    """Return where notices lead, by their ids, in two queries whatever their number."""
    known = list(rows)
    cards = _cards([row.comment.thread for row in known if row.comment])
    runs = _runs([row.mention.interrupt.run for row in known if row.mention])
    return {row.pk: _place(row, cards, runs) for row in known}


def _place(
    row: CommentNotice, cards: Mapping[tuple[str, str], Any], runs: Mapping[str, Run]
) -> Place:
    if row.comment is not None:
        thread = row.comment.thread
        card = cards.get((thread.graph_id, thread.node))
        label = label_of(card) if card else thread.label
        return Place(thread.node, label, thread.graph_id, thread.graph.name)
    assert row.mention is not None  # a notice is of one of the two
    asked = row.mention.interrupt
    label = asked.card.title if hasattr(asked, "card") else asked.node
    run = runs.get(asked.run)
    if run is None or run.graph is None:
        return Place(asked.node, label, None, run.graph_slug if run else "")
    return Place(asked.node, label, run.graph_id, run.graph.name)


def _cards(threads: Iterable[CommentThread]) -> Mapping[tuple[str, str], Any]:
    known = list(threads)
    if not known:
        return {}
    nodes = Node.objects.filter(
        graph__in={thread.graph_id for thread in known},
        node_id__in={thread.node for thread in known},
    )
    return {
        (graph, node): data for graph, node, data in nodes.values_list("graph", "node_id", "data")
    }


def _runs(ids: Iterable[str]) -> Mapping[str, Run]:
    known = set(ids)
    if not known:
        return {}
    rows = Run.objects.filter(pk__in=known).select_related("graph").defer("graph__header")
    return {run.pk: run for run in rows}
