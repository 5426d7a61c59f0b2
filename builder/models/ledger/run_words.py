"""Which runs a search means: their ids, their workflows' names, their words.

What is rare is looked up first, so that lists find it by number and read no other run: a search for a
single run costs the same beside a hundred thousand others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import Any, Final

from django.db import connections
from django.db.models import Q
from django.db.models.expressions import RawSQL

from builder.base.run_text import PARTS, asked

RARE: Final = 500
"""Runs that have a word, of all that are kept; so many are named one by one."""
ID_BEGINS: Final = re.compile(r"[0-9a-f][0-9a-f-]{3,35}")
FOUND_BY_WORD: Final = {
    "sqlite": (
        "SELECT rowid / 2 FROM builder_runtext_words WHERE builder_runtext_words MATCH %s",
        '"%s" *',
    ),
    "postgresql": (
        (
            "SELECT place / 2 FROM builder_runtext "
            "WHERE to_tsvector('simple', words) @@ to_tsquery('simple', %s)"
        ),
        "%s:*",
    ),
}
"""By database: the numbers of the runs that have a word, and how the word is asked for."""
PLACE: Final = {"sqlite": "rowid", "postgresql": "place"}


def meant(text: str, graphs: Any, using: str) -> Q | None:
    """Return which runs a search finds, None where it surely finds none.

    `graphs` are those whose names fit. They and the words are looked up at once.
    """
    found = [Q(pk__gte=begin, pk__lt=f"{begin}g") for begin in _begins(text.lower())]
    named = list(graphs.values_list("pk", flat=True)[: RARE + 1])
    if named:
        found.append(Q(graph__in=named if len(named) <= RARE else graphs.values("pk")))
    if words := asked(text):
        found.append(_with_words(words, using))
    found = [choice for choice in found if choice != NOBODY]
    return reduce(lambda one, other: one | other, found) if found else None


NOBODY: Final = Q(number__in=[])


def _begins(text: str) -> list[str]:
    return [text] if ID_BEGINS.fullmatch(text) else []


def _with_words(words: Sequence[str], using: str) -> Q:
    """Return the runs that have all of the words: by number where one of them is rare."""
    few: set[int] | None = None
    common = []
    for word in words:
        numbers = _numbers(word, using)
        if len(numbers) > RARE:
            common.append(word)
        else:
            few = numbers if few is None else few & numbers
    if few is None:
        sql, form = FOUND_BY_WORD[connections[using].vendor]
        each = [Q(number__in=RawSQL(sql, (form % word,))) for word in common]  # noqa: S611
        return reduce(and_, each)
    for word in common:
        few &= _numbers(word, using, among=few)
    return Q(number__in=sorted(few))


def _numbers(word: str, using: str, *, among: set[int] | None = None) -> set[int]:
    """Return the numbers of runs that have a word: up to one more than `RARE`, or those of `among`."""
    vendor = connections[using].vendor
    sql, form = FOUND_BY_WORD[vendor]
    given: list[Any] = [form % word]
    if among is None:
        sql += f" LIMIT {PARTS * RARE + 1}"
    else:
        places = [number * PARTS + part for number in among for part in range(PARTS)]
        sql += f" AND {PLACE[vendor]} IN ({', '.join(['%s'] * len(places)) or 'NULL'})"
        given += places
    with connections[using].cursor() as cursor:
        cursor.execute(sql, given)
        return {row[0] for row in cursor.fetchall()}
