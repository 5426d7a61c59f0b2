"""What kinds of events the house knows, by the names that triggers and rules ask for them with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RUN_ENDS: Final[Mapping[str, str]] = {
    "completed": "run.completed",
    "failed": "run.failed",
    "cancelled": "run.cancelled",
    "timeout": "run.timeout",
}
"""How a run ended, by its status."""
ITEM_NOUNS: Final[Mapping[str, str]] = {
    "approval": "approval",
    "text": "question",
    "choice": "question",
    "multi-choice": "question",
    "form": "question",
    "budget": "budget",
    "in_doubt": "doubt",
}
"""What an item of the inbox is called, by what is asked for."""
USUAL_NOUN: Final = "approval"
CLOSED_WORDS: Final[Mapping[str, str]] = {"question": "answered"}
"""What a person did to an item, where it is not called decided."""
BUDGET_MARK: Final = "budget.mark"
ITEM_WAITING: Final = "item.waiting"
"""An item is open for longer than somebody asked to be told of."""
NOUNS: Final = tuple(dict.fromkeys(ITEM_NOUNS.values()))


def item_kind(asked: str, what: str) -> str:
    """Return the kind of event where an item of the kind `asked` is opened, answered, or expired."""
    noun = ITEM_NOUNS.get(asked, USUAL_NOUN)
    return f"{noun}.{CLOSED_WORDS.get(noun, 'decided') if what == 'answered' else what}"


KINDS: Final = (
    *RUN_ENDS.values(),
    *(f"{noun}.opened" for noun in NOUNS),
    *(f"{noun}.{CLOSED_WORDS.get(noun, 'decided')}" for noun in NOUNS),
    *(f"{noun}.expired" for noun in NOUNS),
    "item.reminded",
    "item.escalated",
    ITEM_WAITING,
    BUDGET_MARK,
)
"""All of them."""
