"""Rows K33 and K39: what a result says in one place has no effect in another."""

from __future__ import annotations

from typing import Any

from tests.contract.harness import doc, fn, run
from tests.contract.scripts import answers, returns


def test_infra_config_changes_no_limit_of_the_run() -> None:
    """K33: `infra.config` with the names of limits and policies changes none of them."""
    tight = {
        "max_iterations": 1,
        "max_execution_time_ms": 1,
        "max_token_budget": 0,
        "budget_usd": "0",
        "max_retries": 0,
        "merge": "replace",
        "agent_id": "nobody",
    }
    edges: list[Any] = ["__start__ -> a -> b", ("b", "b", {"when": "more"}), ("b", "c", {})]
    graph = doc([fn("a"), fn("b"), fn("c")], edges)
    graph["nodes"][2] |= {"type": "agent", "config": {"agent_id": "x", "prompt": "Do it."}}
    graph["agents"] = [{"id": "x"}]
    script = answers("done") | {
        "functions": {
            "a": {"returns": {"infra": {"config": tight}, "data": {"o": {"p": 1}}}},
            "b": [
                {"error": {"message": "no"}},
                {"returns": {"condition": "more", "data": {"o": {"q": 2}}}},
                {"returns": {}},
            ],
        }
    }
    done = run(graph, script)

    assert done.exit == 0, done.report["error"]
    assert (done.path, done.report["result"]) == (["a", "b", "b", "c"], "done")
    assert (done.activation("b")["attempts"], done.memory) == (2, {"o": {"p": 1, "q": 2}})


def test_data_that_looks_like_ui_or_tokens_is_data() -> None:
    """K39: Keys of data named like the chat's or routing's fields stay data, and the reverse."""
    named = {"message": "secret", "structured": {"s": 1}, "condition": "billing", "next": ["b"]}
    edges: list[Any] = ["__start__ -> a", ("a", "b", {"when": "billing"}), ("a", "c", {})]
    graph = doc([fn("a"), fn("b", "end"), fn("c", "end")], edges)
    plain = run(graph, returns(a={"data": named}, end={}))
    shown = run(graph, returns(a={"data": named, "ui": {"structured": {"t": 2}}}, end={}))

    assert (plain.path, plain.memory) == (["a", "c"], named)
    assert plain.report["ui"] == {"messages": [], "structured": {}}
    assert (shown.path, shown.memory) == (["a", "c"], named)
    assert shown.report["ui"] == {"messages": [], "structured": {"t": 2}}
