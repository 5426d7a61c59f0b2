"""What a letter about comments says: who names the person, on which card, with a link to the thread.

What was written stays in the app unless the workspace lets mails say what is asked.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.core.mail import EmailMessage

from builder.base import address
from builder.models import CardComment, CommentNotice, Membership
from builder.services.mail.letters import TITLES
from builder.services.mail.notifications import When, choice_of

MOST: Final = 50
"""Comments that one letter tells of."""
LONGEST: Final = 500
"""Characters of a comment in a letter."""


def letter(workspace: str, user: str, comments: Collection[str]) -> EmailMessage | None:
    """Return the mail about what is still said and unread, None where nothing or nobody is left."""
    members = Membership.objects.select_related("user", "workspace")
    member = members.filter(workspace=workspace, user=user, user__is_active=True).first()
    if member is None or not member.user.email or choice_of(member.user) == When.NEVER:
        return None
    rows = CardComment.objects.filter(
        pk__in=list(comments), thread__graph__workspace=workspace, thread__graph__archived_at=None
    ).select_related("thread__graph", "author")
    read = CommentNotice.objects.filter(user=user, comment__in=list(comments))
    rows = rows.exclude(pk__in=read.filter(read_at__isnull=False).values("comment"))
    found = [row for row in rows[:MOST] if any(who["id"] == user for who in row.mentions)]
    if not found:
        return None
    with_words = bool(member.workspace.all_settings[TITLES])
    lines = [line for row in found for line in [*_entry(row, with_words=with_words), ""]]
    page = f"{address.public()}/notifications"
    foot = ["-- ", f"Choose when you are told, or never: {page}"]
    return EmailMessage(
        _subject(found),
        "\n".join([*lines, *foot]),
        to=[member.user.email],
        headers={"Auto-Submitted": "auto-generated", "List-Unsubscribe": f"<{page}>"},
    )


def _subject(found: list[CardComment]) -> str:
    first = found[0]
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    name = _line(first.thread.graph.name, 80)
    return f"{_by(first)} mentions you on {_line(first.thread.label, 40)}{more} · {name}"[:150]


def _entry(row: CardComment, *, with_words: bool) -> list[str]:
    thread = row.thread
    where = f"“{_line(thread.label, 120)}” in the workflow “{_line(thread.graph.name, 120)}”"
    said = [f"  {_line(row.text, LONGEST)}"] if with_words else []
    link = f"{address.public()}/workflows/{thread.graph_id}?thread={thread.pk}"
    return [f"{_by(row)} mentions you in a comment on {where}:", *said, link]


def _by(row: CardComment) -> str:
    return _line(str(row.author), 60) if row.author else "Somebody"


def _line(text: str, longest: int) -> str:
    return " ".join(text[: 4 * longest].split())[:longest]
