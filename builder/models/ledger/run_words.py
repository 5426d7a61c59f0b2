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

from builder.base.run_text import PARTS, asked, is_whole

RARE: Final = 500
"""Runs that have a word, of all that are kept; so many are named one by one."""
ID_BEGINS: Final = re.compile(r"[0-9a-f][0-9a-f-]{5,35}")
"""So much of an id names a run; less of it is a word like others."""
FOUND_BY_WORD: Final = {
    "sqlite": (
        "SELECT rowid / 2 FROM builder_runtext_words WHERE builder_runtext_words MATCH %s",
        ('"%s" *', '"%s"'),
    ),
    "postgresql": (
        (
            "SELECT place / 2 FROM builder_runtext "
            "WHERE to_tsvector('simple', words) @@ to_tsquery('simple', %s)"
        ),
        ("%s:*", "%s"),
    ),
}
"""By database: the numbers of the runs that have a word, and how one is asked for that may be the
beginning of it, and one that is a whole.
"""
PLACE: Final = {"sqlite": "rowid", "postgresql": "place"}


def meant(text: str, runs: Any, graphs: Any, using: str) -> Q | None:
    """Return which runs a search finds, None where it surely finds none.

    `runs` are those that are looked through, `graphs` all workflows. Ids, workflows and words are
    looked up at once: what is rare is then found by its key.
    """
    found = [begun for begun in _begins(text) if runs.filter(begun).exists()]
    graphs = graphs.filter(_called(text))
    named = list(graphs.values_list("pk", flat=True)[: RARE + 1])
    if named:
        found.append(Q(graph__in=named if len(named) <= RARE else graphs.values("pk")))
    if words := asked(text):
        found.append(_with_words(words, using))
    found = [choice for choice in found if choice != NOBODY]
    return reduce(lambda one, other: one | other, found) if found else None


def _called(text: str) -> Q:
    """Return which workflows are meant: those with the text in their name, or with the short word."""
    if not is_whole(text):
        return Q(name__icontains=text) | Q(slug__icontains=text)
    found = Q()
    for name, sign in (("name", " "), ("slug", "-"), ("slug", "_")):
        found |= Q(**{f"{name}__iexact": text}) | Q(**{f"{name}__istartswith": text + sign})
        found |= Q(**{f"{name}__icontains": sign + text + sign})
        found |= Q(**{f"{name}__iendswith": sign + text})
    return found


NOBODY: Final = Q(number__in=[])


def _begins(text: str) -> list[Q]:
    """Return the runs that have the text for an id, and those whose ids begin with it."""
    low = text.lower()
    longer = [Q(pk__gte=low, pk__lt=f"{low}g")] if ID_BEGINS.fullmatch(low) else []
    return [Q(pk=text), *longer]


def asked_for(word: str, vendor: str) -> tuple[str, str]:
    """Return the query that finds the runs with a word, and what to ask it for."""
    sql, (begins, whole) = FOUND_BY_WORD[vendor]
    return sql, (whole if is_whole(word) else begins) % word


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
        ways = [asked_for(word, connections[using].vendor) for word in common]
        each = [Q(number__in=RawSQL(sql, (wanted,))) for sql, wanted in ways]  # noqa: S611
        return reduce(and_, each)
    for word in common:
        few &= _numbers(word, using, among=few)
    return Q(number__in=sorted(few))


def _numbers(word: str, using: str, *, among: set[int] | None = None) -> set[int]:
    """Return the numbers of runs that have a word: up to one more than `RARE`, or those of `among`."""
    vendor = connections[using].vendor
    sql, wanted = asked_for(word, vendor)
    given: list[Any] = [wanted]
    if among is None:
        sql += f" LIMIT {PARTS * RARE + 1}"
    else:
        places = [number * PARTS + part for number in among for part in range(PARTS)]
        sql += f" AND {PLACE[vendor]} IN ({', '.join(['%s'] * len(places)) or 'NULL'})"
        given += places
    with connections[using].cursor() as cursor:
        cursor.execute(sql, given)
        return {row[0] for row in cursor.fetchall()}
