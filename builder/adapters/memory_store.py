"""Facts in the project's database: full-text search of SQLite or PostgreSQL narrows, the engine ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from django.db import Error, connections, models, transaction
from django.db.models.expressions import RawSQL

from builder.adapters.threads import in_thread
from builder.models import Entity, Fact, FactEntity, FactTag
from builder.querysets import FactQuerySet
from engine.errors import StoreError
from engine.memory import Fact as KnownFact
from engine.memory import FactSource, NewFact, entity_key, relevant, words_of
from engine.ports import MemoryRecord

T = TypeVar("T")

CANDIDATES: Final = 500
"""Facts of one query that the engine ranks; the database chooses them."""

SQLITE_INDEX: Final = "builder_fact_words"
_SQLITE_MATCH = f"SELECT rowid FROM {SQLITE_INDEX} WHERE {SQLITE_INDEX} MATCH %s"  # noqa: S608  a constant
_SQLITE_RANK = (
    f"SELECT bm25({SQLITE_INDEX}) FROM {SQLITE_INDEX} "  # noqa: S608  a constant
    f"WHERE {SQLITE_INDEX} MATCH %s AND {SQLITE_INDEX}.rowid = builder_fact.id"
)
_VECTOR = "array_to_tsvector(string_to_array(builder_fact.words, ' '))"


class DatabaseFacts:
    """A `MemoryStore` over the project's tables. `home` is where facts of no workspace belong."""

    def __init__(self, home: str | None = None, *, using: str = "default") -> None:
        self._home = home
        self._using = using

    async def store(
        self, workspace_id: str | None, source: FactSource, facts: Sequence[NewFact]
    ) -> list[str]:
        """Keep the facts of a visit, the first time only; return their ids. Raises `StoreError`."""
        return await self._guarded(self._store, workspace_id or self._home, source, facts)

    async def search(
        self, workspace_id: str | None, *, text: str, entity_ids: Sequence[str],
        tags: Sequence[str], limit: int,
    ) -> list[MemoryRecord]:  # fmt: skip
        """Return the facts that match, most relevant first. Raises `StoreError`."""
        words = words_of(text)
        if not (words or entity_ids or tags):
            return []
        workspace = workspace_id or self._home
        return await self._guarded(self._search, workspace, words, entity_ids, tags, limit)

    async def _guarded(self, function: Callable[..., T], *args: Any) -> T:
        try:
            return await in_thread(function, *args)
        except Error as error:
            raise StoreError(f"the memory cannot be reached: {error}") from error

    def _facts(self, workspace: str | None) -> FactQuerySet:
        return Fact.objects.using(self._using).filter(workspace=workspace)

    def _store(
        self, workspace: str | None, source: FactSource, facts: Sequence[NewFact]
    ) -> list[str]:
        if workspace is None:
            raise StoreError("facts belong to a workspace, and this run has none")
        with transaction.atomic(using=self._using):
            if facts and not self._facts(workspace).filter(source=source.id).exists():
                self._insert(workspace, source, facts)
            kept = self._facts(workspace).filter(source=source.id).order_by("position")
            return list(kept.values_list("key", flat=True))

    def _insert(self, workspace: str, source: FactSource, facts: Sequence[NewFact]) -> None:
        rows = [
            Fact(
                workspace_id=workspace, key=source.fact_id(index), text=fact.text,
                words=" ".join(words_of(fact.text)), source=source.id, position=index,
                run_id=source.run_id, graph_slug=source.graph_id, node=source.node_id, at=source.at,
            )
            for index, fact in enumerate(facts)
        ]  # fmt: skip
        Fact.objects.using(self._using).bulk_create(rows, ignore_conflicts=True)
        ids = dict(self._facts(workspace).filter(source=source.id).values_list("position", "pk"))
        entities = self._entities(workspace, (name for fact in facts for name in fact.entities))
        tags = [
            FactTag(fact_id=ids[i], tag=tag) for i, fact in enumerate(facts) for tag in fact.tags
        ]
        links = [
            FactEntity(fact_id=ids[i], entity_id=entities[entity_key(name)], name=name)
            for i, fact in enumerate(facts)
            for name in fact.entities
        ]
        FactTag.objects.using(self._using).bulk_create(tags, ignore_conflicts=True)
        FactEntity.objects.using(self._using).bulk_create(links, ignore_conflicts=True)

    def _entities(self, workspace: str, names: Iterable[str]) -> dict[str, int]:
        """Return the ids of the entities by key, made where they are new."""
        wanted = {entity_key(name): name for name in names}
        rows = [Entity(workspace_id=workspace, key=key, name=wanted[key]) for key in sorted(wanted)]
        Entity.objects.using(self._using).bulk_create(rows, ignore_conflicts=True)
        return self._known_entities(workspace, wanted)

    def _known_entities(self, workspace: str | None, keys: Iterable[str]) -> dict[str, int]:
        found = Entity.objects.using(self._using).filter(workspace=workspace, key__in=list(keys))
        return dict(found.values_list("key", "pk"))

    def _search(
        self, workspace: str | None, words: Sequence[str], names: Sequence[str],
        tags: Sequence[str], limit: int,
    ) -> list[MemoryRecord]:  # fmt: skip
        found = self._facts(workspace)
        distances: dict[str, int] = {}
        if tags:
            found = found.tagged(tags)
        if names:
            seeds = self._known_entities(workspace, map(entity_key, names))
            near = self._neighbours(list(seeds.values()))
            distances = {**dict.fromkeys(near.values(), 1), **dict.fromkeys(seeds, 0)}
            seed_links = FactEntity.objects.filter(fact=models.OuterRef("pk"))
            found = found.about([*seeds.values(), *near]).annotate(
                direct=models.Exists(seed_links.filter(entity__in=list(seeds.values())))
            )
        order = (*(["-direct"] if names else []), "-at", "position")
        if words:
            found, order = self._matching(found, words), ("rank", *order)
        rows = found.order_by(*order).prefetch_related("tag_rows", "links")[:CANDIDATES]
        best = relevant(map(_known, rows), words, distances, limit)
        return [fact.to_record() for fact in best]

    def _neighbours(self, seeds: Sequence[int]) -> dict[int, str]:
        """Return id and key of the entities that share a fact with one of the seeds."""
        shared = Entity.objects.using(self._using).filter(links__fact__links__entity__in=seeds)
        return dict(shared.distinct().order_by("pk").values_list("pk", "key"))

    def _matching(self, facts: FactQuerySet, words: Sequence[str]) -> FactQuerySet:
        """Return the facts with any of the words, annotated with a `rank`: smaller is better."""
        number, truth = models.FloatField(), models.BooleanField()
        if connections[self._using].vendor != "sqlite":
            query = " | ".join(f"'{word}'" for word in words)
            rank = RawSQL(f"-ts_rank({_VECTOR}, %s::tsquery)", [query], number)  # noqa: S611  parameters only
            matches = RawSQL(f"{_VECTOR} @@ %s::tsquery", [query], truth)  # noqa: S611  parameters only
            return facts.filter(matches).annotate(rank=rank)
        if not self._indexed():
            found = models.Q()
            for word in words:
                found |= models.Q(words__contains=word)
            return facts.filter(found).annotate(rank=models.Value(0.0, number))
        query = " OR ".join(f'"{word}"' for word in words)
        matching = RawSQL(_SQLITE_MATCH, [query], models.BigIntegerField())  # noqa: S611  parameters only
        ranked = RawSQL(_SQLITE_RANK, [query], number)  # noqa: S611  parameters only
        return facts.filter(pk__in=matching).annotate(rank=ranked)

    def _indexed(self) -> bool:
        """Return whether this SQLite could make the full-text index."""
        with connections[self._using].cursor() as cursor:
            cursor.execute("SELECT 1 FROM sqlite_master WHERE name = %s", [SQLITE_INDEX])
            return cursor.fetchone() is not None


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
