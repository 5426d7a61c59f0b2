"""Facts by meaning: which vectors are near, how two rankings join, and the store in memory."""

from __future__ import annotations

import builtins
from typing import Any

import pytest

from engine.core.ports import FactSource, NewFact
from engine.integrations.memory.facts import Fact, InMemoryFacts, relevant, words_of
from engine.integrations.models.embeddings.similarity import nearest, packed
from tests.meaning import Topics

VISIT = FactSource("run", "reflect#1", "g", "reflect", 1)


def test_the_nearest_come_first_and_what_is_far_is_left_out() -> None:
    known = [("far", packed([0, 1])), ("near", packed([1, 0])), ("half", packed([0.8, 0.6]))]

    assert nearest([1, 0], known, 0.5) == {"near": 1.0, "half": 0.8}
    assert list(nearest([1, 0], known, 0.5, most=1)) == ["near"]
    assert nearest([1, 0], [], 0.5) == {}


def test_vectors_of_another_size_are_not_compared() -> None:
    assert nearest([1, 0], [("a", packed([1, 0, 0]))], 0.5) == {}


def test_without_numpy_the_same_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [("a", packed([0.6, 0.8])), ("b", packed([0.28, 0.96]))]
    quick = nearest([0.6, 0.8], known, 0.5)
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "numpy":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)

    assert nearest([0.6, 0.8], known, 0.5) == quick


def fact(name: str, text: str, at: int = 0) -> Fact:
    return Fact(name, text, (), (), at, 0, frozenset(words_of(text)))


def test_a_fact_that_both_rankings_know_beats_the_first_of_one() -> None:
    """C183: Most relevant first, by words and by meaning together."""
    facts = [fact("words", "apple pie"), fact("both", "apple cake with cream"), fact("meant", "x")]
    near = {"meant": 0.9, "both": 0.8}

    found = relevant(facts, words_of("apple"), {}, 5, near)

    assert [f.id for f in found] == ["both", "meant", "words"] or found[0].id == "both"
    assert [f.id for f in relevant(facts, words_of("apple"), {}, 5)] == ["words", "both"]


def test_equal_places_are_decided_by_age_and_id() -> None:
    """C183: The order never depends on chance."""
    facts = [fact("b", "apple", 1), fact("a", "pear", 1), fact("c", "apple", 2)]
    near = {"a": 0.9}

    for shuffled in (facts, facts[::-1]):
        found = relevant(shuffled, words_of("apple"), {}, 5, near)
        assert [f.id for f in found] == ["c", "a", "b"]


async def search(store: InMemoryFacts, text: str, **query: Any) -> list[str]:
    asked: dict[str, Any] = {"entity_ids": (), "tags": (), "limit": 9, **query}
    return [found["text"] for found in await store.search(None, text=text, **asked)]


async def test_no_word_need_be_shared() -> None:
    """C182: The text finds by meaning too where an embedder is given."""
    facts = [NewFact("Every refund needs a manager.", ("t",)), NewFact("Parcel prices rose.")]
    plain, meant = InMemoryFacts(), InMemoryFacts(Topics())
    for store in (plain, meant):
        await store.store(None, VISIT, facts)

    assert await search(plain, "money reimbursed") == []
    assert await search(meant, "money reimbursed") == ["Every refund needs a manager."]
    assert await search(meant, "money reimbursed", tags=["u"]) == []
    assert await search(meant, "the of and") == []


async def test_a_text_is_embedded_once_and_only_when_asked_for() -> None:
    embedder = Topics()
    store = InMemoryFacts(embedder)
    await store.store(None, VISIT, [NewFact("Every refund needs a manager.", ("t",))])
    await search(store, "", tags=["t"])
    assert embedder.asked == []

    await search(store, "money")
    await search(store, "paid")

    assert [kind for kind, _text in embedder.asked] == ["passage", "query", "query"]


async def test_an_embedder_that_is_not_there_leaves_the_words() -> None:
    embedder = Topics()
    embedder.there = False
    store = InMemoryFacts(embedder)
    await store.store(None, VISIT, [NewFact("Every refund needs a manager.")])

    assert await search(store, "refund") == ["Every refund needs a manager."]
    assert await search(store, "money") == []


def test_long_words_are_cut_so_that_every_database_can_index_them() -> None:
    assert [len(word) for word in words_of("A" * 5000)] == [100]
