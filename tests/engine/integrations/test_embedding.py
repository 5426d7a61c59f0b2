"""The local embedder."""

from __future__ import annotations

import math
import threading

import pytest

from engine.integrations.models.embeddings import local as embedding

pytestmark = pytest.mark.skipif(
    not embedding.available(), reason="the embedding package does not run on this machine"
)


def test_vectors_have_length_one_and_mirror_meaning() -> None:
    cat, kitten, tax = embedding.embed(["a cat", "a small kitten", "income tax return"])

    assert len(cat) == 384
    assert math.fsum(x * x for x in cat) == pytest.approx(1)
    assert embedding.similarity(cat, kitten) > embedding.similarity(cat, tax)


def test_queries_find_passages_in_another_language() -> None:
    (query,) = embedding.embed(["Where is my parcel?"])
    found = embedding.embed(["Das Paket ist unterwegs.", "Die Rechnung ist falsch."], "passage")

    assert embedding.similarity(query, found[0]) > embedding.similarity(query, found[1])


def test_threads_get_the_same_vectors() -> None:
    texts = [f"text number {i}" for i in range(12)]
    results: dict[int, list[list[float]]] = {}

    def work(number: int) -> None:
        results[number] = embedding.embed([f"{text} " for text in texts])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert all(results[n] == results[0] for n in range(4))


def test_tokens_are_counted_by_the_models_own_tokenizer() -> None:
    assert embedding.count_tokens("") == 0
    assert embedding.count_tokens("hello world") == 2
    assert embedding.count_tokens("word " * 3000) == 3000
    assert embedding.count_tokens("a\0b") <= 3


def test_texts_that_share_a_batch_have_the_vectors_they_have_alone() -> None:
    texts = [f"sentence {'long ' * (n % 5)}{n}" for n in range(20)]
    alone = [embedding._encoded([text], "passage")[0] for text in texts]

    assert embedding._encoded(texts, "passage") == alone
    assert embedding.embed(texts, "passage") == alone


def test_threads_may_use_the_engine_at_once() -> None:
    texts = [f"text {n} of a thread" for n in range(8)]
    wanted = embedding._encoded(texts, "query")
    found: list[list[list[float]]] = []

    threads = [
        threading.Thread(target=lambda: found.append(embedding._encoded(texts, "query")))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [wanted] * 4
