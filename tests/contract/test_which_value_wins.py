"""Rows K16, S14 and S26: which of two values of one name counts, where a node says it anew."""

from __future__ import annotations

from typing import Any

from tests.contract.harness import doc, fn, run
from tests.contract.scripts import returns


def test_memory_wins_over_the_start_input() -> None:
    """K16: What a node returned replaces what the run was started with, key by key."""
    script = {
        "functions": {
            "a": {"returns": {"data": {"z": 1, "o": {"b": 2}}}},
            "see": {"view": True},
        }
    }
    graph = doc([fn("a"), fn("see", reads=["*", "input"])])
    done = run(graph, script, input={"z": 0, "o": {"a": 1, "b": 1}, "kept": True})

    assert done.outputs["see"]["input"] == {"z": 1, "o": {"a": 1, "b": 2}, "kept": True}


def test_an_edge_sees_the_metadata_that_the_node_said_last() -> None:
    """S14, S26: Where node and start, or two nodes, name one key, conditions read the later value."""
    edges: list[Any] = [
        "__start__ -> a -> b",
        ("b", "new", {"condition": "metadata.k == 'b' && metadata.only == 'a'"}),
        ("b", "old", {}),
    ]
    script = returns(
        a={"metadata": {"k": "a", "only": "a"}}, b={"metadata": {"k": "b"}}, new={}, old={}
    )
    graph = doc([fn(name) for name in ("a", "b", "new", "old")], edges)
    done = run(graph, script, metadata={"k": "start", "only": "start"})

    assert done.path == ["a", "b", "new"]
