"""Threads and comments as they are on the wire."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from builder.api.http.wire import Body, Named, Text, Wire, moment
from builder.models import CardComment, CommentThread, User
from builder.services.people.commenting.headings import Heading
from builder.services.people.commenting.mentions import MOST as MOST_NAMED

MOST_LETTERS: Final = 4_000
EXCERPT: Final = 200
Said = Annotated[Text, Field(min_length=1, max_length=MOST_LETTERS)]
Mentions = Annotated[list[Annotated[Text, Field(max_length=64)]], Field(max_length=MOST_NAMED)]


class CardCommentBody(Body):
    """What is said: plain text, and the ids of members whom it names as `@name`."""

    text: Said
    mentions: Mentions = []


class CardCommentChange(CardCommentBody):
    """What is said instead."""


class ThreadBody(CardCommentBody):
    """A new thread on a node of the saved draft."""

    node: Annotated[Text, Field(min_length=1, max_length=128)]


class ThreadChange(Body):
    """Whether the thread is resolved."""

    resolved: bool


class CardCommentOut(Wire):
    """One comment; `mentions` are called as they were when it was written."""

    id: str
    by: Named | None
    at: str
    edited_at: str | None
    text: str
    mentions: list[Named]


class ThreadOut(Wire):
    """A thread as lists show it: on which card, who began it with which words, how long it is.

    `label` is what the card is called, `gone` whether it was deleted.
    """

    id: str
    node: str
    label: str
    gone: bool
    resolved_at: str | None
    resolved_by: Named | None
    by: Named | None
    excerpt: str
    comments: int
    last_at: str


class ThreadDetail(ThreadOut):
    """A thread with all that was said, the oldest first."""

    said: list[CardCommentOut]


def thread_out(heading: Heading) -> ThreadOut:
    """Return a thread as lists show it."""
    thread = heading.thread
    return ThreadOut(
        id=thread.pk,
        node=thread.node,
        label=heading.label,
        gone=heading.gone,
        resolved_at=_time(thread),
        resolved_by=person(thread.resolved_by),
        by=person(heading.first.author),
        excerpt=excerpt(heading.first.text),
        comments=heading.count,
        last_at=moment(heading.last_at),
    )


def comment_out(row: CardComment) -> CardCommentOut:
    """Return one comment."""
    return CardCommentOut(
        id=row.pk,
        by=person(row.author),
        at=moment(row.at),
        edited_at=None if row.edited_at is None else moment(row.edited_at),
        text=row.text,
        mentions=[Named(id=who["id"], name=who["name"]) for who in row.mentions],
    )


def excerpt(text: str) -> str:
    """Return how a comment begins, on one line."""
    return " ".join(text[: 4 * EXCERPT].split())[:EXCERPT]


def person(user: User | None) -> Named | None:
    """Return somebody by name, None who left."""
    return None if user is None else Named(id=user.pk, name=str(user))


def _time(thread: CommentThread) -> str | None:
    return None if thread.resolved_at is None else moment(thread.resolved_at)
