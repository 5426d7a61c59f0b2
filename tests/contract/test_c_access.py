"""Rows C1 to C10: node types, and what a node may read and write."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.node_types.registry import NODE_TYPES
from tests.contract.harness import (
    Outcome,
    agent,
    approval,
    check,
    doc,
    fn,
    node,
    question,
    run,
    tool,
)
from tests.contract.scripts import STR, says

NOTHING: dict[str, Any] = {"functions": {"end": {"returns": {}}}}


SEE = {"functions": {"see": {"view": True}}}


def test_every_type_exists_with_its_own_config() -> None:
    """C1."""
    for name in (
        "agent",
        "tool",
        "router",
        "approval",
        "question",
        "function",
        "http_request",
        "output",
        "delay",
    ):
        assert NODE_TYPES.get(name).Config.model_fields

    both = {"annealing": {}, "swarm": {"peer_nodes": ["b"]}}
    graph = doc([agent("a", config=both), fn("b", "end")], ["__start__ -> a"])
    assert "InvalidValue" in check(graph, NOTHING).codes
    found = check(doc([node("a", "foo")]))
    assert (found.exit, "UnknownNodeType" in found.codes) == (1, True)


def test_agent_id_names_the_agent() -> None:
    """C2."""
    assert "MissingField" in check(doc([node("a", "agent", config={})])).codes
    unknown = doc([agent("a")]) | {"agents": []}
    assert "UnknownAgent" in check(unknown).codes
    assert run(unknown, says("x")).exit == 2
    assert check(unknown, {"agents": {"x": [{"text": "ok"}]}}).exit == 0
    assert run(unknown, {"agents": {"x": [{"text": "ok"}]}}).outputs == {"a": "ok"}


def test_tools_of_a_node_override_those_of_its_agent() -> None:
    """C3."""
    tools = {n: [{"result": 1}] for n in ("files/read", "files/write", "other")}
    graph = doc(
        [agent("a", config={"tools": ["files/*"]})], agents=[{"id": "x", "tools": ["other"]}]
    )
    done = run(graph, says("ok", tools=tools))

    assert [t.name for t in done.models[0].request.tools] == ["files/read", "files/write"]


def test_a_node_reads_what_is_listed() -> None:
    """C4."""
    graph = doc(
        [fn("see", reads=["goal", "notes.a", "zzz"])],
        goal="G",
        constraints=["C"],
        initial_memory={"notes": {"a": 1, "b": 2}, "k": 1},
    )
    seen = run(graph, SEE).outputs["see"]
    plain = run(doc([fn("see")], goal="G", initial_memory={"k": 1}), SEE).outputs["see"]

    assert seen["memory"] == {"notes": {"a": 1}}
    assert (seen["goal"], seen["constraints"]) == ("G", ["C"])
    assert (plain["goal"], plain["memory"], plain["input"]) == ("G", {}, None)
    assert "ReservedKey" in check(doc([fn("see", reads=["_x"])]), SEE).codes


def test_nothing_may_be_written_without_a_grant() -> None:
    """C5."""
    failed = run(doc([fn("a", writes=[])]), {"functions": {"a": {"returns": {"data": {"x": 1}}}}})
    call = {"tool_calls": [{"name": "memory_write", "arguments": {"key": "x", "value": 1}}]}
    script = {"default": [call, {"text": "ok"}]}
    listed = run(doc([agent("a", config={"tools": ["memory_write"]})]), script)
    granted = run(doc([agent("a", writes=["x"], config={"tools": ["memory_write"]})]), script)
    absent = run(doc([agent("a")]), script)

    assert (failed.code, failed.memory) == ("WriteNotAllowed", {})
    assert (listed.exit, listed.memory) == (0, {})
    assert [e["keys"] for e in listed.of("WriteDropped", "a")] == [["x"]]
    assert "not allowed" in listed.models[1].request.messages[-1].content
    assert granted.memory == {"x": 1}
    assert [t.name for t in absent.models[0].request.tools] == []


def test_a_star_means_every_memory_key_and_no_lane() -> None:
    """C6."""
    graph = doc([fn("see", reads=["*"], writes=["*"])], initial_memory={"a": 1, "b": 2})
    seen = run(graph, SEE, input="hi").outputs["see"]
    found = check(graph, SEE)

    assert seen["memory"] == {"a": 1, "b": 2}
    assert (seen["previous"], seen["input"]) == (None, None)
    assert found.exit == 0
    assert {"WildcardRead", "WildcardWrite"} <= set(found.codes)


def test_an_upstream_result_is_invisible_unless_declared() -> None:
    """C7."""
    script = {"functions": {"a": {"returns": {"data": {"notes": 1}}}, **SEE["functions"]}}
    done = run(doc([fn("a", writes=["notes"]), fn("see")]), script)

    assert done.outputs["see"]["memory"] == {}
    near = check(doc([fn("a", writes=["notes"]), fn("see", reads=["nots"], writes=[])]), script)
    assert "UnwrittenKey" in near.codes


def test_result_keys_need_no_declaration() -> None:
    """C8."""
    script = {"tools": {"add": [{"result": 3}]}}
    bare = run(doc([tool("t", "add")]), script)
    listed = run(doc([tool("t", "add", writes=["t_result"])]), script)
    asked = run(doc([question("q", answer_key="k")]), decide={"q": [{"selected": "v"}]})
    decided = run(doc([approval("p")]), decide={"p": [{"decision": "approved"}]})

    assert bare.memory == listed.memory == {"t_result": 3}
    assert asked.memory == {"k": "v"}
    assert decided.memory["p_result"]["decision"] == "approved"


def ceiling(keys: Any, writes: list[str], reply: Any, side: str = "write_keys") -> Outcome:
    graph = doc(
        [agent("a", writes=writes, reads=["*"], config={"repair_turns": 0})],
        agents=[{"id": "x", "permissions": {side: keys}}],
        state_schema={"type": "object", "properties": dict.fromkeys("abc", STR)},
        initial_memory={"a": "1", "b": "2"},
    )
    return run(graph, {"default": [{"json": reply}]})


def test_an_agents_permissions_are_a_ceiling() -> None:
    """C9."""
    narrow = ceiling(["b", "c"], ["a", "b"], {"b": "v"})
    nothing = ceiling([], ["a"], {"a": "v"})
    open_side = ceiling(["*"], ["a"], {"a": "v"})
    reads = ceiling(["b"], ["a"], {"a": "v"}, side="read_keys")

    narrowed: Any = narrow.models[0].request.schema
    assert list(narrowed["properties"]) == ["b"]
    assert narrow.memory["b"] == "v"
    assert nothing.models[0].request.schema is None
    assert nothing.memory["a"] == "1"
    assert open_side.memory["a"] == "v"
    assert '"b": "2"' in reads.prompt()
    assert '"a": "1"' not in reads.prompt()


def test_a_write_above_the_ceiling_is_refused() -> None:
    """C9."""
    assert ceiling(["b", "c"], ["a", "b"], {"a": "v", "b": "v"}).code == "WriteNotAllowed"


@pytest.mark.parametrize(
    ("writes", "reply", "memory"),
    [
        (["draft"], {"text": "T"}, {"draft": "T"}),
        (["score", "why"], {"json": {"score": 1, "why": "x"}}, {"score": 1, "why": "x"}),
        (["score", "why"], {"text": '{"score": 1}'}, {"score": 1}),
        (["draft"], {"json": {"other": 1}}, {"draft": {"other": 1}}),
        (["draft", "*"], {"text": "T"}, {"draft": "T"}),
        (["score", "why"], {"text": "T"}, {}),
        ([], {"text": "T"}, {}),
    ],
)
def test_an_answer_without_schema_finds_its_place(
    writes: list[str], reply: dict[str, Any], memory: dict[str, Any]
) -> None:
    """C10."""
    done = run(doc([agent("a", writes=writes)]), {"default": [reply]})

    assert done.memory == memory
    assert done.outputs["a"] == (reply["text"] if "text" in reply else reply["json"])


def test_an_answer_that_lands_nowhere_is_warned_of() -> None:
    """C10."""
    assert "AnswerNotStored" in check(doc([agent("a", writes=["score", "why"])])).codes
    assert "AnswerNotStored" not in check(doc([agent("a", writes=["draft"])])).codes


def test_memory_write_keeps_the_answer_from_being_stored() -> None:
    """C10."""
    call = {"tool_calls": [{"name": "memory_write", "arguments": {"key": "k", "value": 1}}]}
    graph = doc([agent("a", writes=["k"], config={"tools": ["memory_write"]})])
    done = run(graph, {"default": [call, {"text": "told"}]})

    assert (done.memory, done.outputs["a"]) == ({"k": 1}, "told")
