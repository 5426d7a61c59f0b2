"""Full-text search of facts, in SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import connections, models
from django.db.models.expressions import RawSQL

from builder.models.querysets import FactQuerySet

SQLITE_INDEX: Final = "builder_fact_words"
_SQLITE_MATCH = f"SELECT rowid FROM {SQLITE_INDEX} WHERE {SQLITE_INDEX} MATCH %s"  # noqa: S608  a constant
_SQLITE_RANK = (
    f"SELECT bm25({SQLITE_INDEX}) FROM {SQLITE_INDEX} "  # noqa: S608  a constant
    f"WHERE {SQLITE_INDEX} MATCH %s AND {SQLITE_INDEX}.rowid = builder_fact.id"
)
_VECTOR = "array_to_tsvector(string_to_array(builder_fact.words, ' '))"


def matching(facts: FactQuerySet, words: Sequence[str]) -> FactQuerySet:
    """Return the facts with any of the words, annotated with a `rank`: smaller is better."""
    number, truth = models.FloatField(), models.BooleanField()
    if connections[facts.db].vendor != "sqlite":
        query = " | ".join(f"'{word}'" for word in words)
        rank = RawSQL(f"-ts_rank({_VECTOR}, %s::tsquery)", [query], number)  # noqa: S611  parameters only
        matches = RawSQL(f"{_VECTOR} @@ %s::tsquery", [query], truth)  # noqa: S611  parameters only
        return facts.filter(matches).annotate(rank=rank)
    if not _indexed(facts.db):
        found = models.Q()
        for word in words:
            found |= models.Q(words__contains=word)
        return facts.filter(found).annotate(rank=models.Value(0.0, number))
    query = " OR ".join(f'"{word}"' for word in words)
    matching = RawSQL(_SQLITE_MATCH, [query], models.BigIntegerField())  # noqa: S611  parameters only
    ranked = RawSQL(_SQLITE_RANK, [query], number)  # noqa: S611  parameters only
    return facts.filter(pk__in=matching).annotate(rank=ranked)


def _indexed(using: str) -> bool:
    """Return whether this SQLite could make the full-text index."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT 1 FROM sqlite_master WHERE name = %s", [SQLITE_INDEX])
        return cursor.fetchone() is not None
