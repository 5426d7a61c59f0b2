"""Writes what hangs on facts: their tags, their entities, their vectors."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Final

from django.db import models, transaction

from builder.adapters.memory.entities import known_entities
from builder.models import Entity, Fact, FactEntity, FactTag, FactVector
from builder.models.querysets import FactQuerySet
from engine.core.ports import NewFact
from engine.integrations.memory.facts import EMBEDDED, entity_key
from engine.integrations.models.embeddings.similarity import Embedder, packed

log: Final = logging.getLogger(__name__)


def attach(using: str, workspace: str, facts: Mapping[int, NewFact]) -> None:
    """Write tags and entities of facts (by primary key) in the caller's transaction."""
    names = {entity_key(name): name for fact in facts.values() for name in fact.entities}
    rows = [Entity(workspace_id=workspace, key=key, name=names[key]) for key in sorted(names)]
    Entity.objects.using(using).bulk_create(rows, ignore_conflicts=True)
    entities = known_entities(using, workspace, names)
    tags = [FactTag(fact_id=pk, tag=tag) for pk, fact in facts.items() for tag in fact.tags]
    links = [
        FactEntity(fact_id=pk, entity_id=entities[entity_key(name)], name=name)
        for pk, fact in facts.items()
        for name in fact.entities
    ]
    FactTag.objects.using(using).bulk_create(tags, ignore_conflicts=True)
    FactEntity.objects.using(using).bulk_create(links, ignore_conflicts=True)


def drop_unnamed(using: str, entities: Sequence[int]) -> None:
    """Delete those of the entities that no fact is about any more."""
    unnamed = Entity.objects.using(using).filter(pk__in=entities, links__isnull=True)
    unnamed.delete()


def fill_vectors(rows: FactQuerySet, embedder: Embedder | None, most: int = EMBEDDED) -> None:
    """Make the vectors that facts among `rows` lack, the newest first, `most` at a time.

    An embedder that fails is logged: facts without a vector are still found by their words.
    """
    if embedder is None or not embedder.available():
        return
    made = FactVector.objects.filter(fact=models.OuterRef("pk"), model=embedder.name)
    lacking = rows.filter(~models.Exists(made)).order_by("-at", "position")
    texts = dict(lacking.values_list("pk", "text")[:most])
    if not texts:
        return
    known = _vectors(texts, embedder)
    if known:
        _keep(rows.db, embedder.name, {pk: texts[pk] for pk in known}, known)


def _vectors(texts: Mapping[int, str], embedder: Embedder) -> dict[int, bytes]:
    """Return the vectors of the texts; one that has none takes them from no other."""
    try:
        vectors = embedder.embed(list(texts.values()), "passage")
    except RuntimeError:
        if len(texts) == 1:
            log.warning("no vector for a fact", exc_info=True)
            return {}
        parts = [_vectors({pk: text}, embedder) for pk, text in texts.items()]
        return {pk: data for part in parts for pk, data in part.items()}
    return {pk: packed(vector) for pk, vector in zip(texts, vectors, strict=True)}


def _keep(using: str, model: str, texts: Mapping[int, str], data: Mapping[int, bytes]) -> None:
    """Store vectors of the facts that still say what was embedded; others were changed meanwhile."""
    with transaction.atomic(using=using):
        same = Fact.objects.using(using).select_for_update().filter(pk__in=list(texts))
        rows = [
            FactVector(fact_id=pk, model=model, data=data[pk])
            for pk, text in same.values_list("pk", "text")
            if text == texts[pk]
        ]
        FactVector.objects.using(using).bulk_create(
            rows, update_conflicts=True, unique_fields=["fact"], update_fields=["model", "data"]
        )
