"""Texts that wait to be embedded: in batches, in turn, each harmed by its own failure only."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from engine.integrations.models.embeddings.batches import MOST_TEXTS, Batches
from engine.integrations.models.embeddings.similarity import Kind, Vector

PATIENCE = 20


class Engine:
    """Encodes once it is let, and notes in which batches; a text with `bad` in it fails."""

    def __init__(self, *, may: bool = True) -> None:
        self.asked: list[list[str]] = []
        self.busy = threading.Semaphore(0)
        self.may = threading.Semaphore(1_000 if may else 0)

    def __call__(self, texts: Sequence[str], kind: Kind) -> list[Vector]:
        self.asked.append([f"{kind[0]}:{text}" for text in texts])
        self.busy.release()
        assert self.may.acquire(timeout=PATIENCE)
        if any("bad" in text for text in texts):
            raise RuntimeError(f"no vector for {len(texts)}")
        return [[float(len(text)), float(kind == "query")] for text in texts]


def beside(work: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    """Do something in a thread; what came of it is in the list once that has ended."""
    came: list[Any] = []

    def run() -> None:
        try:
            came.append(work())
        except RuntimeError as error:
            came.append(str(error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, came


def waiting(batches: Batches, callers: int) -> None:
    """Return once so many callers wait."""
    with batches._changed:
        pass
    done = threading.Event()
    for _ in range(2_000):
        if len(batches._callers) == callers:
            return
        done.wait(0.005)
    pytest.fail("they did not come")


def test_vectors_come_in_the_order_of_the_texts_and_are_made_once() -> None:
    engine = Engine()
    batches = Batches(engine, most_chars=100)

    assert batches.vectors(["aa", "b", "aa"], "query") == [[2.0, 1.0], [1.0, 1.0], [2.0, 1.0]]
    assert batches.vectors(["b"], "query") == [[1.0, 1.0]]
    assert batches.vectors(["b"], "passage") == [[1.0, 0.0]]
    assert batches.vectors([], "query") == []
    assert engine.asked == [["q:aa", "q:b"], ["p:b"]]


def test_short_texts_share_a_batch_and_a_long_one_has_its_own() -> None:
    engine = Engine()
    texts = ["x" * 6, "y" * 4, "z" * 30, *(f"{n:02}" for n in range(MOST_TEXTS))]

    Batches(engine, most_chars=10).vectors(texts, "query")

    assert [len(each) for each in engine.asked] == [2, 1, 5, 3]


def test_who_brings_one_text_waits_for_one_batch_and_who_knows_it_for_none() -> None:
    engine = Engine(may=False)
    batches = Batches(engine, most_chars=4)
    engine.may.release()
    batches.vectors(["known"], "query")
    assert engine.busy.acquire(timeout=PATIENCE)
    many, of_many = beside(lambda: batches.vectors([f"m{n:02}" for n in range(50)], "query"))
    assert engine.busy.acquire(timeout=PATIENCE)
    one, of_one = beside(lambda: batches.vectors(["one"], "query"))
    waiting(batches, 2)

    assert batches.vectors(["known"], "query") == [[5.0, 1.0]]
    for _ in range(2):
        engine.may.release()
    one.join(PATIENCE)
    assert of_one == [[[3.0, 1.0]]]
    assert not of_many
    for _ in range(50):
        engine.may.release()
    many.join(PATIENCE)
    assert len(of_many[0]) == 50


def test_texts_that_several_wait_for_are_embedded_once() -> None:
    engine = Engine(may=False)
    batches = Batches(engine, most_chars=10)
    callers = [beside(lambda: batches.vectors(["same", "both"], "query")) for _ in range(5)]
    waiting(batches, 5)
    engine.may.release()
    for thread, _ in callers:
        thread.join(PATIENCE)

    assert [came for _, came in callers] == [[[[4.0, 1.0], [4.0, 1.0]]]] * 5
    assert engine.asked == [["q:same", "q:both"]]


def test_a_failure_harms_only_who_brought_the_text() -> None:
    engine = Engine(may=False)
    batches = Batches(engine, most_chars=100)
    first, _ = beside(lambda: batches.vectors(["x"], "query"))
    assert engine.busy.acquire(timeout=PATIENCE)
    good, of_good = beside(lambda: batches.vectors(["good"], "query"))
    bad, of_bad = beside(lambda: batches.vectors(["bad", "fine"], "query"))
    waiting(batches, 3)
    for _ in range(10):
        engine.may.release()
    for thread in (first, good, bad):
        thread.join(PATIENCE)

    assert of_good == [[[4.0, 1.0]]]
    assert of_bad == ["no vector for 1"]
    assert batches.vectors(["fine"], "query") == [[4.0, 1.0]], "that of the failed caller is kept"
    with pytest.raises(RuntimeError):
        batches.vectors(["bad"], "query")
    assert batches._wanted == {}


def test_as_many_batches_are_under_way_as_may_be() -> None:
    engine = Engine(may=False)
    batches = Batches(engine, most_chars=1, abreast=2)
    callers = [beside(partial(batches.vectors, [f"t{n}"], "query")) for n in range(4)]
    waiting(batches, 4)
    for _ in range(2):
        assert engine.busy.acquire(timeout=PATIENCE)
    assert not engine.busy.acquire(timeout=0.2)
    for _ in range(10):
        engine.may.release()
    for thread, _ in callers:
        thread.join(PATIENCE)
    assert sorted(came[0] for _, came in callers) == [[[2.0, 1.0]]] * 4
