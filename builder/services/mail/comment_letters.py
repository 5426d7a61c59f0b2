"""What a letter about comments says: who names the person, on which card or item, with a link to it.

What was written stays in the app unless the workspace lets mails say what is asked.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.core.mail import EmailMessage

from builder.base import address
from builder.models import CardComment, CommentNotice, Interrupt, ItemMention, Membership, User
from builder.reads.inbox_items import items_of
from builder.services.mail.letters import TITLES
from builder.services.mail.notifications import When, choice_of

MOST: Final = 50
"""Comments that one letter tells of."""
LONGEST: Final = 500
"""Characters of a comment in a letter."""
KINDS: Final = {
    "question": "asks before a decision and names you",
    "answer": "answers a question before a decision and names you",
    "comment": "mentions you in a comment on what waits for a decision",
}


@dataclass(frozen=True, slots=True)
class _Said:
    """One entry of a letter: who does what, at which step of which workflow, and where to read it."""

    by: str
    does: str
    step: str
    graph: str
    text: str
    path: str


def letter(
    workspace: str, user: str, comments: Collection[str], mentions: Collection[str] = ()
) -> EmailMessage | None:
    """Return the mail about what is still said and unread, None where nothing or nobody is left."""
    members = Membership.objects.select_related("user", "workspace")
    member = members.filter(workspace=workspace, user=user, user__is_active=True).first()
    if member is None or not member.user.email or choice_of(member.user) == When.NEVER:
        return None
    found = [*_on_cards(member, comments), *_at_items(member, mentions)][:MOST]
    if not found:
        return None
    with_words = bool(member.workspace.all_settings[TITLES])
    lines = [line for one in found for line in [*_entry(one, with_words=with_words), ""]]
    page = f"{address.public()}/notifications"
    foot = ["-- ", f"Choose when you are told, or never: {page}"]
    return EmailMessage(
        _subject(found),
        "\n".join([*lines, *foot]),
        to=[member.user.email],
        headers={"Auto-Submitted": "auto-generated", "List-Unsubscribe": f"<{page}>"},
    )


def _on_cards(member: Membership, comments: Collection[str]) -> list[_Said]:
    rows = CardComment.objects.filter(
        pk__in=list(comments),
        thread__graph__workspace=member.workspace_id,
        thread__graph__archived_at=None,
    ).select_related("thread__graph", "author")
    read = CommentNotice.objects.filter(user=member.user_id, comment__in=list(comments))
    rows = rows.exclude(pk__in=read.filter(read_at__isnull=False).values("comment"))
    return [
        _Said(
            by=_by(row.author),
            does="mentions you in a comment",
            step=row.thread.label,
            graph=row.thread.graph.name,
            text=row.text,
            path=f"/workflows/{row.thread.graph_id}?thread={row.thread_id}",
        )
        for row in rows[:MOST]
        if any(who["id"] == member.user_id for who in row.mentions)
    ]


def _at_items(member: Membership, mentions: Collection[str]) -> list[_Said]:
    unread = CommentNotice.objects.filter(
        user=member.user_id,
        read_at=None,
        mention__in=list(mentions),
        mention__interrupt__workspace=member.workspace_id,
    )
    rows = ItemMention.objects.filter(pk__in=unread.values("mention")).select_related("author")
    known = list(rows[:MOST])
    asked = Interrupt.objects.filter(pk__in={row.interrupt_id for row in known})
    items = {item.row.pk: item for item in items_of(list(asked), member)}
    return [
        _Said(
            by=_by(row.author),
            does=KINDS[row.kind],
            step=item.label,
            graph=item.run.graph.name if item.run and item.run.graph else "",
            text=row.text,
            path=f"/inbox/{row.interrupt_id}",
        )
        for row in known
        if (item := items.get(row.interrupt_id)) is not None
    ]


def _subject(found: list[_Said]) -> str:
    first = found[0]
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    name = f" · {_line(first.graph, 80)}" if first.graph else ""
    return f"{first.by} mentions you on {_line(first.step, 40)}{more}{name}"[:150]


def _entry(one: _Said, *, with_words: bool) -> list[str]:
    graph = f" in the workflow “{_line(one.graph, 120)}”" if one.graph else ""
    said = [f"  {_line(one.text, LONGEST)}"] if with_words else []
    where = f"on “{_line(one.step, 120)}”{graph}"
    return [f"{one.by} {one.does} {where}:", *said, f"{address.public()}{one.path}"]


def _by(author: User | None) -> str:
    return _line(str(author), 60) if author else "Somebody"


def _line(text: str, longest: int) -> str:
    return " ".join(text[: 4 * longest].split())[:longest]
