"""Facts that outlive runs: what one is, when it matches a query, and a store of them in memory.

Reflection nodes write facts, `memory_query` reads them. Every store finds and orders facts by the
rules here, so that a graph recalls the same whatever keeps its memory.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.core.ports import FactSource, MemoryRecord, NewFact
from engine.integrations.models.embeddings.local import LOCAL
from engine.integrations.models.embeddings.similarity import Embedder, nearest, packed
from engine.integrations.models.extractive.text import plain

MAX_NAME: Final = 200
"""Longest name of an entity, in characters; longer texts name nothing."""

MAX_WORD: Final = 100
MAX_WORDS: Final = 2_000
MAX_CHARS: Final = 50_000
"""What is indexed of a fact or query; the text itself is kept whole."""

EMBEDDED: Final = 64
"""Facts that one visit or question makes vectors for, the newest first; each takes some 20 ms."""

RANK_OFFSET: Final = 60
"""Of reciprocal rank fusion, as in the paper that introduced it: first places do not decide alone."""

_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
_STOP: Final = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "may",
        "me",
        "my",
        "no",
        "nor",
        "not",
        "of",
        "on",
        "or",
        "our",
        "shall",
        "she",
        "should",
        "so",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "us",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A stored fact. `words` is what texts are compared by, `position` its place in its visit."""

    id: str
    text: str
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    at: int
    position: int = 0
    words: frozenset[str] = field(default=frozenset(), repr=False)

    def to_record(self) -> MemoryRecord:
        """Return the fact as a retrieval step records it."""
        return {
            "id": self.id,
            "text": self.text,
            "tags": list(self.tags),
            "entities": list(self.entities),
        }


def entity_key(name: str) -> str:
    """Return what two spellings of one entity have in common: case and spacing do not count."""
    return " ".join(name.replace("\0", " ").split()).casefold()


def words_of(text: str) -> list[str]:
    """Return the words that carry meaning without their endings, each once, in order.

    Writing without spaces is taken by pairs of characters.
    """
    found: dict[str, None] = {}
    for whole in plain(text[:MAX_CHARS]).split():
        word = whole[:MAX_WORD]
        runs = _UNSPACED.findall(word)
        for run in runs:
            found.update(dict.fromkeys(run[i : i + 2] for i in range(max(1, len(run) - 1))))
        if not runs and word not in _STOP:
            found[_stem(word)] = None
    return list(found)[:MAX_WORDS]


def _stem(word: str) -> str:
    """Return a word without the endings of plurals, tenses and cases: refunds → refund."""
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if len(word) > 4 and word.endswith("ie"):
        word = f"{word[:-2]}y"
    for ending, least in (("ing", 6), ("ed", 5), ("en", 7)):
        if len(word) >= least and word.endswith(ending):
            word = word.removesuffix(ending)
            if word[-1] == word[-2]:
                word = word[:-1]
            break
    return word.removesuffix("e") if len(word) > 3 else word


def relevant(
    facts: Iterable[Fact],
    wanted: Sequence[str],
    distances: Mapping[str, int],
    limit: int,
    likeness: Mapping[str, float] | None = None,
) -> list[Fact]:
    """Return the most relevant facts, best first.

    Rare words of the query (`wanted`) count more than common ones, then facts of the entities
    asked for before those one link away (`distances` by entity key), then newer before older.
    Where there are `wanted` words, facts without any of them are left out, unless their meaning is
    near (`likeness` by fact id): then both rankings count, by reciprocal rank fusion.
    """
    chosen, likeness = list(facts), likeness or {}
    scores = _scores(chosen, wanted)

    def order(fact: Fact) -> tuple[int, int, int, str]:
        near = min((distances.get(entity_key(name), 2) for name in fact.entities), default=2)
        return (near, -fact.at, fact.position, fact.id)

    found = sorted(
        (f for f in chosen if not wanted or f.id in scores or f.id in likeness), key=order
    )
    fused = _fused([scores, likeness], [fact.id for fact in found]) if likeness else scores
    return sorted(found, key=lambda fact: -fused.get(fact.id, 0.0))[:limit]


def _fused(rankings: Iterable[Mapping[str, float]], order: Sequence[str]) -> dict[str, float]:
    """Return the sums of 1 / (60 + rank) over the rankings; `order` decides between equals."""
    total = dict.fromkeys(order, 0.0)
    for ranking in rankings:
        ranked = sorted((i for i in order if i in ranking), key=lambda i: -ranking[i])
        for place, fact_id in enumerate(ranked, 1):
            total[fact_id] += 1 / (RANK_OFFSET + place)
    return total


def _scores(facts: Sequence[Fact], wanted: Sequence[str]) -> dict[str, float]:
    """Return the score of every fact with a word of the query, by id."""
    known = {word: sum(word in fact.words for fact in facts) for word in wanted}
    average = sum(len(fact.words) for fact in facts) / len(facts) if facts else 1.0
    scores: dict[str, float] = {}
    for fact in facts:
        shared = [word for word in wanted if word in fact.words]
        if shared:
            rarity = sum(math.log(1 + len(facts) / known[word]) for word in shared)
            scores[fact.id] = rarity / (0.5 + 0.5 * len(fact.words) / (average or 1.0))
    return scores


class InMemoryFacts:
    """A `MemoryStore` in memory: for tests, scripts and the command line.

    With an `embedder` texts are also found by meaning; vectors are made when first asked for.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder
        self._facts: dict[str | None, dict[str, Fact]] = {}
        self._visits: dict[tuple[str | None, str], list[str]] = {}
        self._vectors: dict[str, bytes] = {}

    def facts(self, workspace_id: str | None = None) -> list[Fact]:
        """Return everything that the workspace knows, oldest first."""
        return list(self._facts.get(workspace_id, {}).values())

    async def store(
        self, workspace_id: str | None, source: FactSource, facts: Sequence[NewFact]
    ) -> list[str]:
        """Keep the facts of a visit, the first time only; return the ids of what is kept of it."""
        known = self._visits.get((workspace_id, source.id))
        if known is not None or not facts:
            return list(known or ())
        kept = [
            Fact(
                source.fact_id(index),
                fact.text,
                fact.tags,
                fact.entities,
                source.at,
                index,
                frozenset(words_of(fact.text)),
            )
            for index, fact in enumerate(facts)
        ]
        self._facts.setdefault(workspace_id, {}).update((fact.id, fact) for fact in kept)
        ids = self._visits[workspace_id, source.id] = [fact.id for fact in kept]
        return list(ids)

    async def search(
        self,
        workspace_id: str | None,
        *,
        text: str,
        entity_ids: Sequence[str],
        tags: Sequence[str],
        limit: int,
    ) -> list[MemoryRecord]:
        """Return the facts that match all that is asked for, most relevant first."""
        wanted = words_of(text)
        if not (wanted or entity_ids or tags):
            return []
        known = self.facts(workspace_id)
        distances = _distances(known, entity_ids)
        found = [
            fact
            for fact in known
            if (not tags or set(tags) & set(fact.tags))
            and (not entity_ids or any(entity_key(n) in distances for n in fact.entities))
        ]
        near: dict[str, float] = {}
        if self._embedder is not None and wanted:
            near = await asyncio.to_thread(self._near, self._embedder, text, found)
        return [fact.to_record() for fact in relevant(found, wanted, distances, limit, near)]

    def _near(self, embedder: Embedder, text: str, facts: Sequence[Fact]) -> dict[str, float]:
        if not embedder.available():
            return {}
        new = [fact for fact in facts if fact.id not in self._vectors][-EMBEDDED:]
        made = embedder.embed([fact.text for fact in new], "passage")
        self._vectors.update((f.id, packed(v)) for f, v in zip(new, made, strict=True))
        [query] = embedder.embed([text], "query")
        known = [(f.id, self._vectors[f.id]) for f in facts if f.id in self._vectors]
        return nearest(query, known, embedder.floor)


def _distances(facts: Iterable[Fact], seeds: Sequence[str]) -> dict[str, int]:
    """Return the entities asked for (0), and those that share a fact with one of them (1)."""
    distances = {entity_key(name): 0 for name in seeds}
    for fact in facts if seeds else ():
        keys = [entity_key(name) for name in fact.entities]
        if any(distances.get(key) == 0 for key in keys):
            for key in keys:
                distances.setdefault(key, 1)
    return distances


PROCESS: Final = InMemoryFacts(LOCAL)
"""What the runs of one process remember where no database keeps it."""
