"""Finds facts: full-text search of SQLite or PostgreSQL and vectors narrow, the engine ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db import connections, models
from django.db.models.expressions import RawSQL

from builder.models import Entity, Fact, FactEntity
from builder.models.querysets import FactQuerySet
from engine.integrations.memory.facts import Fact as KnownFact
from engine.integrations.memory.facts import entity_key, relevant, words_of
from engine.integrations.models.embeddings.similarity import Embedder, nearest

CANDIDATES: Final = 500
"""Facts of one query that the engine ranks; the database chooses them."""

COMPARED: Final = 10_000
"""Facts whose vectors are compared with a query's: the newest ones that match otherwise."""

SQLITE_INDEX: Final = "builder_fact_words"
_SQLITE_MATCH = f"SELECT rowid FROM {SQLITE_INDEX} WHERE {SQLITE_INDEX} MATCH %s"  # noqa: S608  a constant
_SQLITE_RANK = (
    f"SELECT bm25({SQLITE_INDEX}) FROM {SQLITE_INDEX} "  # noqa: S608  a constant
    f"WHERE {SQLITE_INDEX} MATCH %s AND {SQLITE_INDEX}.rowid = builder_fact.id"
)
_VECTOR = "array_to_tsvector(string_to_array(builder_fact.words, ' '))"


def search(
    rows: FactQuerySet,
    workspace: str,
    *,
    text: str,
    names: Sequence[str],
    tags: Sequence[str],
    limit: int,
    embedder: Embedder | None = None,
) -> list[KnownFact]:
    """Return the facts among `rows` (of one workspace) that a `memory_query` finds, best first."""
    distances: dict[str, int] = {}
    order: tuple[str, ...] = ("-at", "position")
    if tags:
        rows = rows.tagged(tags)
    if names:
        seeds = known_entities(rows.db, workspace, map(entity_key, names))
        near = _neighbours(rows.db, list(seeds.values()))
        distances = {**dict.fromkeys(near.values(), 1), **dict.fromkeys(seeds, 0)}
        direct = FactEntity.objects.filter(
            fact=models.OuterRef("pk"), entity__in=list(seeds.values())
        )
        rows = rows.about([*seeds.values(), *near]).annotate(direct=models.Exists(direct))
        order = ("-direct", *order)
    words = words_of(text)
    if not words:
        return relevant(_loaded(rows.order_by(*order)[:CANDIDATES]), words, distances, limit)
    by_rank = ("rank", *order)
    found = _loaded(_matching(rows, words).order_by(*by_rank)[:CANDIDATES])
    close = similarity(rows, text, embedder)
    missing = close.keys() - {fact.id for fact in found}
    found += _loaded(rows.filter(key__in=missing)) if missing else []
    return relevant(found, words, distances, limit, close)


def similarity(rows: FactQuerySet, text: str, embedder: Embedder | None) -> dict[str, float]:
    """Return key → similarity of the facts whose meaning is near the text's; {} without embedder."""
    if embedder is None or not embedder.available():
        return {}
    known = rows.filter(vector__model=embedder.name).order_by("-at", "position")
    vectors = known.values_list("key", "vector__data")[:COMPARED]
    if not vectors:
        return {}
    [query] = embedder.embed([text], "query")
    return nearest(query, ((key, bytes(data)) for key, data in vectors), embedder.floor)


def known_entities(using: str, workspace: str, keys: Any) -> dict[str, int]:
    """Return key → primary key of the workspace's entities with these keys."""
    found = Entity.objects.using(using).filter(workspace=workspace, key__in=list(keys))
    return dict(found.values_list("key", "pk"))


def _neighbours(using: str, seeds: Sequence[int]) -> dict[int, str]:
    """Return primary key and key of the entities that share a fact with one of the seeds."""
    shared = Entity.objects.using(using).filter(links__fact__links__entity__in=seeds)
    return dict(shared.distinct().order_by("pk").values_list("pk", "key"))


def _matching(facts: FactQuerySet, words: Sequence[str]) -> FactQuerySet:
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


def _loaded(rows: FactQuerySet) -> list[KnownFact]:
    return [_known(row) for row in rows.prefetch_related("tag_rows", "links")]


def _known(row: Fact) -> KnownFact:
    return KnownFact(
        id=row.key,
        text=row.text,
        tags=tuple(tag.tag for tag in row.tag_rows.all()),
        entities=tuple(link.name for link in row.links.all()),
        at=row.at,
        position=row.position,
        words=frozenset(row.words.split()),
    )
