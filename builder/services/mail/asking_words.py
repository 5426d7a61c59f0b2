"""What a letter says of people: who started what waits, who asks the reader back, who answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from builder.models import User
from builder.reads.inbox.questions_back import QuestionBack
from builder.reads.inbox_items import Item
from builder.reads.runs.origins import trigger_words, triggers_of

MAX_SAID: Final = 500
"""Characters of a question or answer that a letter holds; the page has all of it."""


class AskingWords:
    """The people of some items by name, and what they said where the workspace lets mails say it."""

    def __init__(self, items: Iterable[Item], *, with_words: bool) -> None:
        self._with_words = with_words
        known = list(items)
        self._names = _names(known)
        self._triggers = triggers_of([item.run for item in known if item.run])

    def started(self, item: Item) -> str:
        """Return who or what started the run, after a comma; empty where nobody knows."""
        if item.run and item.run.trigger:
            return f", started by {trigger_words(item.run, self._triggers)}"
        name = self._names.get(item.run.started_by or "") if item.run else None
        return f", started by {name}" if name else ""

    def mark(self, item: Item, why: str) -> str:
        """Return who asks or answered, after a comma; empty for other reasons."""
        last = _question(item, why)
        if last is None:
            return ""
        if why == "asked":
            return f", {self._asker(last)} asks you something about it"
        return f", {self._answerer(last)} answered your question"

    def alone(self, item: Item, why: str) -> str:
        """Return what an item waits for, where that is not a decision alone; else empty."""
        last = _question(item, why)
        if last is None:
            return ""
        if why == "asked":
            return f"waits for an answer of yours: {self._asker(last)} asks you before they decide"
        return f"waits for a decision of yours again: {self._answerer(last)} answered your question"

    def said(self, item: Item, why: str) -> list[str]:
        """Return the question, and the answer if there is one, where mails may say so."""
        last = _question(item, why)
        if last is None or not self._with_words:
            return []
        answer = [f"Answer: {_line(last.reply)}"] if why == "replied" and last.reply else []
        return [f"Question: {_line(last.question)}", *answer]

    def _asker(self, one: QuestionBack) -> str:
        return self._names.get(one.row.asked_by, "a reviewer")

    def _answerer(self, one: QuestionBack) -> str:
        return self._names.get(one.row.asked_to, "somebody")


def _question(item: Item, why: str) -> QuestionBack | None:
    """Return the question that a reason is about: the one that waits, or the last with a reply."""
    if why == "asked":
        return item.waits_for
    if why != "replied":
        return None
    return next((one for one in reversed(item.asked_back) if one.reply is not None), None)


def _names(items: Iterable[Item]) -> Mapping[str, str]:
    ids: set[str] = set()
    for item in items:
        ids |= {item.run.started_by or ""} if item.run else set()
        ids |= {who for one in item.asked_back for who in (one.row.asked_by, one.row.asked_to)}
    return {str(user.pk): str(user) for user in User.objects.filter(pk__in=ids - {""})}


def _line(text: str) -> str:
    whole = " ".join(text[: 4 * MAX_SAID].split())
    return whole if len(whole) <= MAX_SAID else f"{whole[: MAX_SAID - 1].rstrip()}…"
