"""How close a name is to what somebody types: the same, beginning so, a word of it, somewhere in it."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When

Rows = TypeVar("Rows", bound=QuerySet[Any])

SAME, BEGINS, WORD, ELSEWHERE = range(4)
BEFORE_WORD: Final = (" ", "-", "/", "(", "_", ".")
"""What stands before a word within a name."""


def closest_first(rows: Rows, text: str, *names: str, then: tuple[str, ...]) -> Rows:
    """Return rows with the names closest to the text first, those equally close by `then`."""
    cases = [
        When(_any(names, "iexact", [text]), then=Value(SAME)),
        When(_any(names, "istartswith", [text]), then=Value(BEGINS)),
        When(_any(names, "icontains", [f"{sign}{text}" for sign in BEFORE_WORD]), then=Value(WORD)),
    ]
    ranked = rows.alias(
        closeness=Case(*cases, default=Value(ELSEWHERE), output_field=IntegerField())
    )
    return ranked.order_by("closeness", *then)


def closeness(name: str, text: str) -> int:
    """Return the place of one name among others, the closest first; as `closest_first` has it."""
    called, typed = name.casefold(), text.casefold()
    if called == typed:
        return SAME
    if called.startswith(typed):
        return BEGINS
    return WORD if any(f"{sign}{typed}" in called for sign in BEFORE_WORD) else ELSEWHERE


def _any(names: tuple[str, ...], lookup: str, texts: list[str]) -> Q:
    found = Q()
    for name in names:
        for text in texts:
            found |= Q(**{f"{name}__{lookup}": text})
    return found
