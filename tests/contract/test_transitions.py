"""Rows about chains of runs: a target that is missing, a chain without end."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.values.limits import MAX_TRANSITIONS
from tests.contract.harness import Outcome, doc, fn, run

NO_RETRY = {"max_retries": 0}


def going(target: str, visited: list[tuple[str, str]]) -> Any:
    """Return a handler that notes its run and hands over to `target`."""

    def over(ctx: Any, params: Any) -> Any:
        visited.append((ctx.view.context["graph_id"], ctx.run_id))
        return {"transition_to": target}

    return over


def graph(id: str, target: str) -> dict[str, Any]:
    return doc([fn("over", f"to_{target}", reads=["context"], policy=NO_RETRY)], id=id)


def logs(done: Outcome) -> dict[str, list[Any]]:
    assert done.local is not None
    return {name: list(log) for name, log in done.local.store.logs.items()}  # type: ignore[attr-defined]


def test_a_missing_graph_fails_the_node_at_once_and_starts_nothing() -> None:
    """K41: A missing target graph fails the node without a retry and starts nothing."""
    visited: list[tuple[str, str]] = []
    node = fn("over", "to_nope", reads=["context"], policy={"max_retries": 3})
    failed = run(doc([node]), handlers={"to_nope": going("nope", visited)})

    assert (failed.status, failed.code) == ("failed", "GraphNotFound")
    assert failed.report["error"]["node"] == "over"
    assert (len(visited), failed.activation("over")["attempts"]) == (1, 1)
    assert list(logs(failed)) == [failed.report["run_id"]]


@pytest.mark.parametrize("circle", [["ping"], ["ping", "pong"]])
def test_a_chain_of_runs_ends_at_fifty(circle: list[str]) -> None:
    """K41: A chain of transitions has at most 50 runs; the last one fails `TransitionLimit`."""
    visited: list[tuple[str, str]] = []
    handlers = {f"to_{name}": going(name, visited) for name in circle}
    targets = [*circle[1:], circle[0]]
    first, *others = [graph(*pair) for pair in zip(circle, targets, strict=True)]
    done = run(first, graphs=others, handlers=handlers)

    assert MAX_TRANSITIONS == 50
    assert len(visited) == len(set(visited)) == len(logs(done)) == 50
    assert [graph_id for graph_id, _run in visited] == (circle * 50)[:50]
    ends = [log[-1] for log in logs(done).values()]
    assert [end.type for end in ends].count("RunCompleted") == 49
    last = logs(done)[visited[-1][1]][-1]
    assert (last.type, last.data["error"]["code"]) == ("RunFailed", "TransitionLimit")
