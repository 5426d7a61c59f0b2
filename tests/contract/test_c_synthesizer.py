"""Row C63: a synthesizer merges what branches and maps found."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import (
    Edge,
    Node,
    Outcome,
    agent,
    check,
    doc,
    fn,
    node,
    run,
)
from tests.contract.mapping import item_of, mapped


def branches(synth: Node, outputs: list[Any]) -> Outcome:
    names = [f"b{i}" for i in range(len(outputs))]
    edges: list[Edge] = [f"__start__ -> {name} -> s" for name in names]
    functions = {
        name: {"returns": {"output": value}} for name, value in zip(names, outputs, strict=True)
    }
    script = {"default": [{"text": "merged"}], "functions": functions}
    return run(doc([*(fn(name) for name in names), synth], edges), script)


def test_an_agent_merges_all_branches_in_one_call() -> None:
    """C63."""
    synth = node("s", "synthesizer", config={"agent_id": "x"})
    done = branches(synth, ["alpha", {"beta": 1}, ["gamma"]])

    assert len(done.models) == 1
    assert all(word in done.prompt() for word in ("alpha", "beta", "gamma"))
    assert done.outputs["s"] == done.memory["s_synthesis"] == "merged"


def test_a_prompt_of_its_own_may_read_previous() -> None:
    """C63, C15."""
    config = {"agent_id": "x", "prompt": "Join {{ previous.b0 }} and {{ previous.b1 }}."}
    done = branches(node("s", "synthesizer", reads=[], config=config), ["alpha", "beta"])

    assert "Join alpha and beta." in done.prompt()
    unread = {"agent_id": "x", "prompt": "{{ memory.k }}"}
    assert branches(node("s", "synthesizer", config=unread), [1]).code == "MissingReference"


@pytest.mark.parametrize(
    ("outputs", "merged"),
    [
        ([[1], [2, 3]], [1, 2, 3]),
        (["a", {"k": 1}, [2]], ["a", {"k": 1}, 2]),
        ([{"k": 1}], [{"k": 1}]),
        ([[1, [2]]], [1, [2]]),
    ],
)
def test_without_an_agent_lists_are_joined(outputs: list[Any], merged: list[Any]) -> None:
    """C63."""
    done = branches(node("s", "synthesizer", config={}), outputs)

    assert done.outputs["s"] == done.memory["s_synthesis"] == merged
    assert (done.models, done.report["spend"]["tokens"]) == ([], 0)


def test_branches_stand_in_the_order_of_their_edges() -> None:
    """C63."""
    graph = doc(
        [agent("slow"), fn("fast"), node("s", "synthesizer", config={})],
        ["__start__ -> slow -> s", "__start__ -> fast -> s"],
    )
    script = {
        "default": [{"text": "first", "delay_ms": 40}],
        "functions": {"fast": {"returns": {"output": ["second"]}}},
    }
    done = run(graph, script)

    assert done.path == ["fast", "slow", "s"]
    assert done.outputs["s"] == ["first", "second"]


def test_a_maps_results_are_joined_beside_a_branch() -> None:
    """C63."""
    graph = mapped(
        fn("w", "item"),
        [[1], 2],
        ["__start__ -> m -> s", "__start__ -> b -> s"],
        nodes=[fn("b"), node("s", "synthesizer", config={})],
    )
    script = {"functions": {"b": {"returns": {"output": 3}}}}

    assert run(graph, script, handlers={"item": item_of}).outputs["s"] == [1, 2, 3]


def test_a_synthesizer_writes_its_own_key_only() -> None:
    """C63, C8."""
    synth = node("s", "synthesizer", writes=["k", "s_synthesis"], config={"agent_id": "x"})
    graph = doc([synth])
    found = check(graph, {"default": [{"text": "t"}]})

    assert run(graph, {"default": [{"text": "t"}]}).memory == {"s_synthesis": "t"}
    assert [p["path"] for p in found.problems if p["code"] == "WriteKeyUnused"] == [
        "nodes[0].write_keys[0]"
    ]
    unknown = doc([node("s", "synthesizer", config={"agent_id": "q"})])
    unknown["agents"] = []
    assert "UnknownAgent" in check(unknown).codes
