"""People learn of what is said to them: whom a comment names, and who spoke in its thread before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import Count, Max, Q
from django.utils import timezone

from builder.base.bells import hub, mentions_topic
from builder.models import CardComment, CommentNotice, ItemMention, Membership

MOST_KEPT: Final = 500
"""Notices of one person, in all workspaces; the oldest go."""
MOST_ANSWERED: Final = 50
"""People of one thread who learn of an answer that does not name them: who spoke last."""


def tell(by: Membership, comment: CardComment, named: Collection[str]) -> None:
    """Note the comment for whom it names and for who spoke in the thread, in the transaction."""
    told = dict.fromkeys(named, True) | {
        who: False for who in _speakers(by, comment) if who not in named
    }
    _note(by, comment, told)


def tell_at_item(by: Membership, mention: ItemMention, named: Collection[str]) -> None:
    """Note what somebody wrote about an item for whom it names, in the transaction."""
    _note(by, mention, dict.fromkeys(named, True))


def tell_of_change(by: Membership, comment: CardComment, named: Collection[str]) -> None:
    """Tell whom only the new words name, and no longer whom they leave out."""
    known = dict(comment.notices.filter(named=True).values_list("user", "pk"))
    left = known.keys() - set(named)
    comment.notices.filter(pk__in=[known[who] for who in left]).delete()
    ring(by.workspace_id, left)
    _note(by, comment, {who: True for who in named if who not in known})


def read(member: Membership, thread: str | None, item: str | None = None) -> int:
    """Take what is said to a member as read, and return how much it was.

    In a thread, at an item of the inbox, or in the whole workspace.
    """
    rows = CommentNotice.objects.filter(in_workspace(member), user=member.user_id, read_at=None)
    if thread is not None:
        rows = rows.filter(comment__thread=thread)
    if item is not None:
        rows = rows.filter(mention__interrupt=item)
    found = rows.update(read_at=timezone.now())
    if found:
        ring(member.workspace_id, [member.user_id])
    return found


def in_workspace(member: Membership) -> Q:
    """Return the condition of what is said in the member's workspace."""
    here = member.workspace_id
    return Q(comment__thread__graph__workspace=here) | Q(mention__interrupt__workspace=here)


def ring(workspace_id: str, people: Iterable[str]) -> None:
    """Have the open pages of these people look, once that is written."""
    for who in people:
        transaction.on_commit(partial(hub.ring, mentions_topic(workspace_id, who)))


def _note(by: Membership, said: CardComment | ItemMention, people: Mapping[str, bool]) -> None:
    """Have people told, and say of each whether the words name them; nobody of their own words."""
    told = {who: named for who, named in people.items() if who != by.user_id}
    kind = "comment" if isinstance(said, CardComment) else "mention"
    CommentNotice.objects.bulk_create(
        (CommentNotice(user_id=who, named=named, **{kind: said}) for who, named in told.items()),
        update_conflicts=True,
        unique_fields=["user", kind],
        update_fields=["named", "read_at"],
    )
    _forget(told)
    ring(by.workspace_id, told)


def _speakers(by: Membership, comment: CardComment) -> list[str]:
    """Return the members who spoke in the thread, the last one first."""
    rows = CardComment.objects.filter(
        thread=comment.thread_id,
        author__is_active=True,
        author__memberships__workspace=by.workspace_id,
    )
    last = rows.values("author").annotate(last=Max("at")).order_by("-last", "author")
    return [str(row["author"]) for row in last[:MOST_ANSWERED]]


def _forget(people: Collection[str]) -> None:
    rows = CommentNotice.objects.filter(user__in=list(people)).values("user")
    for full in rows.annotate(kept=Count("pk")).filter(kept__gt=MOST_KEPT):
        mine = CommentNotice.objects.filter(user=full["user"]).order_by("-at", "-pk")
        CommentNotice.objects.filter(
            pk__in=list(mine.values_list("pk", flat=True)[MOST_KEPT:])
        ).delete()
