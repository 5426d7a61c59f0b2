"""Facts in the project's database, as the engine's port wants them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db import Error, transaction

from builder.adapters.memory import search as finder
from builder.adapters.memory.rows import attach, fill_vectors
from builder.adapters.threads import in_thread
from builder.models import Fact
from builder.models.querysets import FactQuerySet
from engine.core.errors import StoreError
from engine.core.ports import FactSource, MemoryRecord, NewFact
from engine.integrations.memory.facts import words_of
from engine.integrations.models.embeddings.similarity import Embedder

T = TypeVar("T")


class DatabaseFacts:
    """A `MemoryStore` over the project's tables. `home` is where facts of no workspace belong.

    With an `embedder` facts are also found by meaning. Everything is done in threads.
    """

    def __init__(
        self,
        home: str | None = None,
        *,
        using: str = "default",
        embedder: Embedder | None = None,
    ) -> None:
        self._home = home
        self._using = using
        self._embedder = embedder

    async def store(
        self, workspace_id: str | None, source: FactSource, facts: Sequence[NewFact]
    ) -> list[str]:
        """Keep the facts of a visit, the first time only; return their ids. Raises `StoreError`."""
        return await self._guarded(self._store, workspace_id or self._home, source, facts)

    async def search(
        self,
        workspace_id: str | None,
        *,
        text: str,
        entity_ids: Sequence[str],
        tags: Sequence[str],
        limit: int,
    ) -> list[MemoryRecord]:
        """Return the facts that match, most relevant first. Raises `StoreError`."""
        workspace = workspace_id or self._home
        return await self._guarded(self._search, workspace, text, entity_ids, tags, limit)

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
        visit = self._facts(workspace).filter(source=source.id).order_by("position")
        with transaction.atomic(using=self._using):
            if facts and not visit.exists():
                self._insert(workspace, source, facts)
            kept = list(visit.values_list("key", flat=True))
        fill_vectors(visit, self._embedder)
        return kept

    def _insert(self, workspace: str, source: FactSource, facts: Sequence[NewFact]) -> None:
        rows = [
            Fact(
                workspace_id=workspace,
                key=source.fact_id(index),
                text=fact.text,
                words=" ".join(words_of(fact.text)),
                source=source.id,
                position=index,
                run_id=source.run_id,
                graph_slug=source.graph_id,
                node=source.node_id,
                at=source.at,
            )
            for index, fact in enumerate(facts)
        ]
        Fact.objects.using(self._using).bulk_create(rows, ignore_conflicts=True)
        visit = self._facts(workspace).filter(source=source.id)
        ids = dict(visit.values_list("position", "pk"))
        attach(self._using, workspace, {ids[i]: fact for i, fact in enumerate(facts)})

    def _search(
        self,
        workspace: str | None,
        text: str,
        names: Sequence[str],
        tags: Sequence[str],
        limit: int,
    ) -> list[MemoryRecord]:
        words = words_of(text)
        if workspace is None or not (words or names or tags):
            return []
        rows = self._facts(workspace)
        if words:
            fill_vectors(rows, self._embedder)
        found = finder.search(
            rows,
            workspace,
            text=text,
            names=names,
            tags=tags,
            limit=limit,
            embedder=self._embedder,
        )
        return [fact.to_record() for fact in found]
