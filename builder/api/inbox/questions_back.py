"""The form in which questions back about an item are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from builder.api.http.wire import Named, Wire, time, time_or_none
from builder.api.inbox.origin import person
from builder.reads.inbox_items import Item


class QuestionBackOut(Wire):
    """A question to the starter or an author; while it waits (`outcome` is empty) the clock stands
    still with `left_ms` left, until `until` at most.
    """

    by: Named | str
    to: Named | str
    question: str
    asked_at: str
    until: str
    left_ms: int | None
    outcome: str
    reply: str | None
    ended_at: str | None
    ended_by: Annotated[
        Named | str | None, Field(description="who replied, or took the question back")
    ]
    asks_me: bool


def questions_out(item: Item, names: Mapping[str, str]) -> list[QuestionBackOut]:
    """Return what was asked back about an item, the oldest first."""
    return [
        QuestionBackOut(
            by=_person(one.row.asked_by, names),
            to=_person(one.row.asked_to, names),
            question=one.question,
            asked_at=time(one.row.asked_at),
            until=time(one.row.until),
            left_ms=one.row.left_ms,
            outcome=one.row.outcome,
            reply=one.reply,
            ended_at=time_or_none(one.row.ended_at),
            ended_by=person(one.ended_by, names),
            asks_me=one is item.waits_for and one.row.asked_to == item.viewer.id,
        )
        for one in item.asked_back
    ]


def _person(user_id: str, names: Mapping[str, str]) -> Named | str:
    return Named(id=user_id, name=names[user_id]) if user_id in names else user_id
