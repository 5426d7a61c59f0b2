"""A person's own comment, changed or taken back: nobody touches what others said."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from builder.base.errors import NotAllowed, NotFound
from builder.models import CardComment, Membership
from builder.services.mail import comment_mail
from builder.services.people.commenting import telling
from builder.services.people.commenting.mentions import mentions_in
from builder.services.people.commenting.threads import lock, require_voice, ring, words


def change(
    member: Membership, comment: CardComment, text: str, people: Sequence[str] = ()
) -> CardComment:
    """Say it otherwise, and tell whom only the new words name. Raises `NotAllowed` for others'."""
    require_own(member, comment)
    kept = words(text)
    named = mentions_in(member.workspace_id, kept, people)
    with transaction.atomic():
        lock(comment.thread)
        locked = CardComment.objects.select_for_update().filter(pk=comment.pk).first()
        if locked is None:
            raise NotFound("this comment is gone", code="CommentNotFound")
        told = {who["id"] for who in locked.mentions}
        if (locked.text, locked.mentions) == (kept, named):
            return locked
        locked.text, locked.mentions, locked.edited_at = kept, named, timezone.now()
        locked.save(update_fields=["text", "mentions", "edited_at"])
        fresh = [who["id"] for who in named if who["id"] not in told]
        comment_mail.tell(member, locked, fresh)
        telling.tell_of_change(member, locked, [who["id"] for who in named])
        ring(comment.thread.graph_id)
    return locked


def take_back(member: Membership, comment: CardComment) -> None:
    """Delete a comment, and its thread with the last one. Raises `NotAllowed` for others'."""
    require_own(member, comment)
    with transaction.atomic():
        thread = lock(comment.thread)
        told = list(comment.notices.values_list("user", flat=True))
        telling.ring(member.workspace_id, told)
        comment.delete()
        if not thread.comments.exists():
            thread.delete()
        ring(comment.thread.graph_id)


def require_own(member: Membership, comment: CardComment) -> None:
    """Raise `NotAllowed` for what somebody else wrote."""
    require_voice(member)
    if comment.author_id != member.user_id:
        raise NotAllowed("only who wrote a comment changes it")
