"""JSONPath: RFC 9535 with bounded work."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from engine.core.expressions.cel import ExpressionFailed, ExpressionInvalid
from engine.core.expressions.jsonpath import compile_path
from engine.core.values.json import freeze

DATA = freeze({"memory": {"topics": ["a", "b"], "n": None, "o": [{"x": 1}, {"x": 5}]}})


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$.memory.topics[0]", ["a"]),
        ("$.memory.topics[*]", ["a", "b"]),
        ("$['memory'].topics[-1]", ["b"]),
        ("$..x", [1, 5]),
        ("$.memory.o[?@.x > 2].x", [5]),
        ("$.memory.o[?@.x == $.memory.o[0].x].x", [1]),
        ("$.memory.topics[?match(@, 'a|z')]", ["a"]),
        ("$.memory.topics[?search(@, '[b-c]')]", ["b"]),
        ("$.memory.topics[?match(@, '(')]", []),
        ("$.nope", []),
        ("$.memory.n", [None]),
    ],
)
def test_paths_follow_the_standard(path: str, expected: Any) -> None:
    """C17."""
    assert compile_path(path).all(DATA) == expected


def test_the_first_match_is_taken() -> None:
    """C162."""
    assert compile_path("$.memory.topics[*]").first(DATA) == "a"
    assert compile_path("$.nope").first(DATA, "default") == "default"
    assert compile_path("$.memory.n").exists(DATA)
    assert not compile_path("$.nope").exists(DATA)


@pytest.mark.parametrize(
    "path", ["$[", "", "a", "$.", "$[?", "$[?foo(@)]", "$[99999999999999999999]", "$" + ".a" * 600]
)
def test_an_invalid_path_has_its_place(path: str) -> None:
    """C17."""
    with pytest.raises(ExpressionInvalid) as caught:
        compile_path(path)

    assert caught.value.line >= 1 and caught.value.column >= 1


@pytest.mark.parametrize(
    "path", ["$" + "..*" * 5, "$..[?@..[?@..x]]", "$..x..y..z", "$[*,*,*][*,*,*][*,*,*][*,*,*]"]
)
def test_work_is_bounded(path: str) -> None:
    """C162."""
    data: Any = {"x": 1}
    for _ in range(20):
        data = {"x": data, "y": [data] if len(str(data)) < 3000 else 0, "w": list(range(9))}
    before = time.process_time()

    try:
        compile_path(path).all(data)
    except ExpressionFailed as failed:
        assert "visits more" in failed.message

    assert time.process_time() - before < 3


def test_a_path_past_the_budget_fails() -> None:
    """C162."""
    with pytest.raises(ExpressionFailed, match="visits more"):
        compile_path("$..*..*..*").all([[[list(range(40))] * 10] * 10] * 5)


def test_patterns_in_filters_do_not_backtrack() -> None:
    """C162."""
    before = time.process_time()

    assert compile_path("$[?search(@, '(a+)+$')]").all(["a" * 50_000 + "b"]) == []

    assert time.process_time() - before < 1


DEAR: list[tuple[str, Callable[[], Any]]] = [
    ("$[?@ == $[0]]", lambda: [[float(n) for n in range(2000)] for _ in range(5000)]),
    ("$[?@ != $[0]]", lambda: [{"a": [str(n) for n in range(2000)]} for _ in range(5000)]),
    ("$[?@ >= $[0]]", lambda: ["x" * 500_000 + str(n % 10) for n in range(2000)]),
    ("$[?search(@, 'y')]", lambda: ["x" * 500_000] * 2000),
    ("$[?match('a', @)]", lambda: [f"(a|b)*{'c' * 900}{n}" for n in range(2000)]),
]
"""Paths, and what makes a value that is dear to them: gigabytes together, so only while a test runs."""


@pytest.mark.parametrize(("path", "make"), DEAR)
def test_what_a_filter_compares_is_bounded_by_its_size(path: str, make: Callable[[], Any]) -> None:
    """C162: Comparing large values often is refused, with what to write instead."""
    data = make()
    before = time.process_time()

    with pytest.raises(ExpressionFailed, match=r"compare parts such as @\.id"):
        compile_path(path).all(data)

    assert time.process_time() - before < 1


def test_a_long_list_is_compared_by_its_parts() -> None:
    """C162: What an author needs is far below the bound."""
    data = [{"id": n, "text": "x" * 200} for n in range(5000)]

    assert len(compile_path("$[?@.id == $[7].id]").all(data)) == 1
    assert len(compile_path("$[?@.text == $[0].text]").all(data)) == 5000
