"""Whole runs of nodes that take all that fit, beside those that take the first (row K28)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import Doc, doc, fn, output, run

SENIOR = "memory.level == 'senior'"
QUICK: dict[str, Any] = {"functions": {"end": {"returns": {}}}}


def checks(level: str, *, branching: str | None = "all", join: str = "all") -> Doc:
    """Return a graph: a senior gets two checks, anybody else a note and a mail; then a letter."""
    way = {} if branching is None else {"branching": branching}
    nodes = [fn("a", "end", **way), *(fn(n, "end") for n in ("tech", "team", "note", "mail"))]
    edges: list[Any] = [
        "__start__ -> a",
        ("a", "tech", {"condition": SENIOR}),
        ("a", "team", {"condition": SENIOR}),
        "a -> note",
        "a -> mail",
        *(f"{name} -> letter" for name in ("tech", "team", "note", "mail")),
    ]
    letter = output("letter", join=join)
    return doc([*nodes, letter], edges, initial_memory={"level": level})


def test_all_conditions_that_hold_are_taken_and_the_join_runs_once() -> None:
    done = run(checks("senior"), QUICK)

    assert (sorted(done.path[1:3]), done.path[3:]) == (["team", "tech"], ["letter"])
    told = [e for e in done.events if e["type"] == "EdgeEvaluated"]
    assert [(e["target"], e["value"]) for e in told] == [("tech", True), ("team", True)]


def test_where_none_holds_every_otherwise_is_taken_at_once() -> None:
    done = run(checks("junior"), QUICK)

    assert (sorted(done.path[1:3]), done.path[3:]) == (["mail", "note"], ["letter"])
    told = [e for e in done.events if e["type"] == "EdgeEvaluated"]
    assert [e["value"] for e in told] == [False, False]


def test_a_join_that_waits_for_nobody_runs_for_each_that_was_taken() -> None:
    assert run(checks("senior", join="any"), QUICK).path.count("letter") == 2


@pytest.mark.parametrize("branching", [None, "first"])
def test_without_a_word_only_the_first_is_taken(branching: str | None) -> None:
    """K28: The second wire alike and the second Otherwise are never taken."""
    assert run(checks("senior", branching=branching), QUICK).path == ["a", "tech", "letter"]
    assert run(checks("junior", branching=branching), QUICK).path == ["a", "note", "letter"]


def test_all_tokens_start_in_the_transition_that_ends_the_node() -> None:
    done = run(checks("senior"), QUICK)
    [ended] = [e for e in done.events if e["type"] == "NodeCompleted" and e["node"] == "a"]

    assert ended["edges"] == [1, 2]


def test_an_expression_that_fails_ends_the_run_though_others_hold() -> None:
    edges: list[Any] = [
        "__start__ -> a",
        ("a", "b", {"condition": "true"}),
        ("a", "c", {"condition": "1 / memory.zero > 0"}),
    ]
    nodes = [fn("a", "end", branching="all"), fn("b", "end"), fn("c", "end")]

    done = run(doc(nodes, edges, initial_memory={"zero": 0}), QUICK)

    assert (done.code, done.path) == ("ExpressionFailed", ["a"])


def test_what_is_missing_is_no_match() -> None:
    edges: list[Any] = [
        "__start__ -> a",
        ("a", "b", {"condition": "memory.gone == 1"}),
        ("a", "c", {"condition": "true"}),
    ]
    nodes = [fn("a", "end", branching="all"), fn("b", "end"), fn("c", "end")]

    assert run(doc(nodes, edges), QUICK).path == ["a", "c"]
