"""Rows C.6: agent, tool, router."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import Outcome, agent, check, doc, fn, node, run, tool
from tests.contract.scripts import Feed

END: dict[str, Any] = {"functions": {"end": {"returns": {}}}}


def test_an_agent_streams_and_its_text_is_recorded_once() -> None:
    """C60."""
    feed = Feed()
    done = run(
        doc([agent("a")]),
        {"default": [{"text": "one two three", "delay_ms": 3}]},
        observe=lambda local: setattr(local.runner, "feed", feed),
    )

    assert len([piece for piece in feed.text if piece]) == 3
    assert "".join(feed.text) == "one two three"
    assert len(done.of("NodeCompleted", "a")) == 1


def test_a_tool_error_is_told_to_the_model() -> None:
    """C60."""
    call = {"tool_calls": [{"name": "add", "arguments": {}}]}
    graph = doc([agent("a", config={"tools": ["add"]})])
    tools = {"add": [{"error": {"message": "out of paper"}}]}
    done = run(graph, {"default": [call, {"text": "sorry"}], "tools": tools})

    assert (done.exit, done.outputs, done.activation("a")["attempts"]) == (0, {"a": "sorry"}, 1)
    assert "out of paper" in done.models[1].request.messages[-1].content


def test_a_tool_node_calls_one_tool_and_no_model() -> None:
    """C61."""
    graph = doc([tool("t", "add", config={"arguments": {"a": 1}})])
    done = run(graph, {"tools": {"add": [{"result": {"sum": 3}}, {"result": 4}]}})

    assert done.report["spend"]["tokens"] == 0
    assert done.outputs["t"] == done.memory["t_result"] == {"sum": 3}
    assert (len(done.tools), done.models) == (1, [])


def test_without_arguments_a_tool_gets_the_readable_slice() -> None:
    """C61."""
    graph = doc([tool("t", "add", reads=["a"])], initial_memory={"a": 5, "b": 6})

    assert run(graph, {"tools": {"add": [{"echo": True}]}}).outputs["t"] == {"a": 5}


def test_what_a_tool_node_lacks_is_said() -> None:
    """C61."""
    unused = check(doc([tool("t", "add", writes=["k"])]), {"tools": {"add": [{"result": 1}]}})

    assert (unused.exit, "WriteKeyUnused" in unused.codes) == (0, True)
    assert "MissingField" in check(doc([node("t", "tool", config={})])).codes
    assert run(doc([tool("t", "add")])).exit == 2
    assert "ToolNotFound" in run(doc([tool("t", "add")])).codes


def test_a_tool_that_disappeared_is_never_retried() -> None:
    """C61."""
    from engine.integrations.tools.toolset import Toolset

    failed = run(
        doc([tool("t", "add")]),
        {"tools": {"add": [{"result": 1}]}},
        observe=lambda local: setattr(local.runner, "tools", Toolset()),
    )

    assert (failed.code, failed.activation("t")["attempts"]) == ("ToolNotFound", 1)


def routed(topic: Any, *, otherwise: bool = False, expression: str = "memory.topic") -> Outcome:
    edges: list[Any] = [
        "__start__ -> r",
        ("r", "b", {"when": "billing"}),
        ("r", "general", {"condition": "false"}),
    ]
    if otherwise:
        edges.append(("r", "rest", {}))
    config = {} if expression == "" else {"expression": expression}
    router = node("r", "router", config=config, read_keys=["topic"])
    nodes = [router, *(fn(n, "end") for n in ("b", "general", "rest"))]
    return run(doc(nodes, edges, initial_memory={} if topic is None else {"topic": topic}), END)


def test_a_router_names_a_token_else_a_target() -> None:
    """C62."""
    assert routed("billing").path == ["r", "b"]
    assert routed("general").path == ["r", "general"]
    assert routed("billing").report["spend"]["tokens"] == 0
    assert routed("billing").memory == {"topic": "billing"}


def test_a_router_without_match_takes_the_else_or_fails() -> None:
    """C62."""
    lost = routed("nowhere")
    missing = routed(None)

    assert (lost.code, lost.path) == ("UndeclaredTarget", ["r"])
    assert missing.code == "UndeclaredTarget"
    assert routed("nowhere", otherwise=True).path == ["r", "rest"]
    assert routed(None, otherwise=True).path == ["r", "rest"]


@pytest.mark.parametrize(("value", "token"), [(True, "true"), (3, "3"), (2.5, "2.5")])
def test_booleans_and_numbers_are_tokens_as_text(value: Any, token: str) -> None:
    """C62."""
    router = node("r", "router", config={"expression": "memory.v"}, read_keys=["v"])
    graph = doc(
        [router, fn("b", "end"), fn("c", "end")],
        ["__start__ -> r", ("r", "b", {"when": token}), "r -> c"],
        initial_memory={"v": value},
    )

    assert run(graph, END).path == ["r", "b"]


def test_without_expression_the_conditions_decide() -> None:
    """C62."""
    graph = doc(
        [node("r", "router"), fn("b", "end"), fn("c", "end")],
        ["__start__ -> r", ("r", "b", {"condition": "memory.v > 1"}), "r -> c"],
        initial_memory={"v": 2},
    )

    assert run(graph, END).path == ["r", "b"]


def test_a_router_that_reads_nothing_says_so() -> None:
    """C62: A router whose reference is missing and that has no else says so."""
    way = node("r", "router", config={"expression": "memory.topic"}, read_keys=["topic"])
    graph = doc([way, fn("b", "end")], ["__start__ -> r", ("r", "b", {"when": "x"})])
    failed = run(graph, {"functions": {"end": {"returns": {}}}})

    assert failed.code == "UndeclaredTarget"
    assert "missing" in failed.report["error"]["message"]
