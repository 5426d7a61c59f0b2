"""Finds facts: full-text search of SQLite or PostgreSQL and vectors narrow, the engine ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import models

from builder.adapters.memory.entities import known_entities, neighbours
from builder.adapters.memory.full_text import matching
from builder.adapters.memory.known_facts import loaded
from builder.models import FactEntity
from builder.models.querysets import FactQuerySet
from engine.integrations.memory.facts import Fact as KnownFact
from engine.integrations.memory.facts import entity_key, relevant, words_of
from engine.integrations.models.embeddings.similarity import Embedder, nearest

CANDIDATES: Final = 500
"""Facts of one query that the engine ranks; the database chooses them."""

COMPARED: Final = 10_000
"""Facts whose vectors are compared with a query's: the newest ones that match otherwise."""


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
        near = neighbours(rows.db, list(seeds.values()))
        distances = {**dict.fromkeys(near.values(), 1), **dict.fromkeys(seeds, 0)}
        direct = FactEntity.objects.filter(
            fact=models.OuterRef("pk"), entity__in=list(seeds.values())
        )
        rows = rows.about([*seeds.values(), *near]).annotate(direct=models.Exists(direct))
        order = ("-direct", *order)
    words = words_of(text)
    if not words:
        return relevant(loaded(rows.order_by(*order)[:CANDIDATES]), words, distances, limit)
    by_rank = ("rank", *order)
    found = loaded(matching(rows, words).order_by(*by_rank)[:CANDIDATES])
    close = similarity(rows, text, embedder)
    missing = close.keys() - {fact.id for fact in found}
    found += loaded(rows.filter(key__in=missing)) if missing else []
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
