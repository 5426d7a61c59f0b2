"""Threads on the cards of a draft: begin one, answer, resolve it, open it again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.utils import timezone

from builder.base.bells import graph_topic, hub
from builder.base.errors import Conflict, InvalidInput, NotAllowed, NotFound
from builder.models import CardComment, CommentThread, Graph, Membership, Node
from builder.services.mail import comment_mail
from builder.services.people.commenting import limits, telling
from builder.services.people.commenting.following import label_of
from builder.services.people.commenting.mentions import mentions_in
from builder.services.permissions import may_comment


def begin(
    member: Membership, graph: Graph, node: str, text: str, people: Sequence[str] = ()
) -> CommentThread:
    """Begin a thread on a card, and tell whom the text names.

    Raises `Conflict` `NoSuchCard` where the saved draft has no such node, and `TooManyThreads`.
    """
    require_voice(member)
    with transaction.atomic():
        Graph.objects.select_for_update().get(pk=graph.pk)
        card = Node.objects.filter(graph=graph, node_id=node).first()
        if card is None:
            raise Conflict("this card is gone", code="NoSuchCard")
        limits.require_room_to_begin(graph)
        thread = CommentThread.objects.create(graph=graph, node=node, label=label_of(card.data))
        _say(member, thread, text, people)
    return thread


def reply(
    member: Membership, thread: CommentThread, text: str, people: Sequence[str] = ()
) -> CardComment:
    """Add to a thread, and tell whom the text names; one that was resolved stays so.

    Raises `Conflict` `ThreadFull`.
    """
    require_voice(member)
    with transaction.atomic():
        locked = lock(thread)
        limits.require_end(locked)
        return _say(member, locked, text, people)


def resolve(member: Membership, thread: CommentThread, *, resolved: bool) -> CommentThread:
    """Close a thread, or open it again. Raises `Conflict` `TooManyThreads` where that has no room."""
    require_voice(member)
    with transaction.atomic():
        Graph.objects.select_for_update().get(pk=thread.graph_id)
        locked = lock(thread)
        if (locked.resolved_at is not None) is not resolved:
            if not resolved:
                limits.require_room(thread.graph)
            locked.resolved_at = timezone.now() if resolved else None
            locked.resolved_by = member.user if resolved else None
            locked.save(update_fields=["resolved_at", "resolved_by"])
            ring(locked.graph_id)
    return locked


def require_voice(member: Membership) -> None:
    """Raise `NotAllowed` for who neither draws, runs nor decides."""
    if not may_comment(member):
        raise NotAllowed(f"a {member.role} reads comments and writes none")


def lock(thread: CommentThread) -> CommentThread:
    """Return the row, locked. Raises `NotFound` where its last comment was just taken back."""
    row = CommentThread.objects.select_for_update().filter(pk=thread.pk).first()
    if row is None:
        raise NotFound("this thread is gone", code="ThreadNotFound")
    return row


def words(text: str) -> str:
    """Return what somebody wrote without the blanks around it. Raises `InvalidInput` for none."""
    if not (kept := text.strip()):
        raise InvalidInput("text that is not blank", path="text")
    return kept


def ring(graph_id: str) -> None:
    """Tell who has the workflow open that something was said, once that is written."""
    frame = {"op": "comments", "graph": graph_id}
    transaction.on_commit(partial(hub.send, graph_topic(graph_id), frame))


def _say(
    member: Membership, thread: CommentThread, text: str, people: Sequence[str]
) -> CardComment:
    limits.require_pace(member.user)
    kept = words(text)
    named = mentions_in(member.workspace_id, kept, people)
    comment = CardComment.objects.create(
        thread=thread, author=member.user, text=kept, mentions=named
    )
    ids = [who["id"] for who in named]
    comment_mail.tell(member, comment, ids)
    telling.tell(member, comment, ids)
    ring(thread.graph_id)
    return comment
