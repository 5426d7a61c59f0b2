"""Rows V9, V11 and V19 to V28: conversations, prompts, and the tools that are offered."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import Outcome, agent, check, doc, fn, node, run
from tests.contract.scripts import NUM, STR, answers, asked_schema, choosing, schema

CALL_ADD = {"tool_calls": [{"name": "add", "arguments": {"a": 1, "b": 2}}]}


ENDS: dict[str, Any] = {"functions": {"end": {"returns": {}}}}


def test_a_failed_agents_conversation_stays_readable() -> None:
    """V19."""
    graph = choosing(0, repair_turns=0, tools=["add"])
    failed = run(graph, answers(CALL_ADD, "bad", tools={"add": [{"result": 3}]}))

    assert (failed.status, failed.activation("a")["status"]) == ("failed", "failed")
    done = failed.of("StepCompleted", "a")
    assert len(done) == len(failed.of("StepIntended", "a")) == 3
    assert done[1]["tool"] == "add"
    assert done[1]["result"] == 3
    assert done[2]["result"]["text"] == "bad"


def test_conversations_of_attempts_and_visits_do_not_mix() -> None:
    """V20."""
    graph = doc(
        [agent("a", writes=["k"])],
        ["__start__ -> a", ("a", "a", {"condition": "outputs.a != 'two'"}), ("a", "__end__", {})],
    )
    broken = {"error": {"status": 500, "message": "x"}}
    done = run(graph, {"default": [broken, {"text": "one"}, {"text": "two"}]})

    keys = [(e["key"], e["attempt"]) for e in done.of("StepIntended")]
    assert keys == [("a#1", 1), ("a#1", 2), ("a#2", 1)]
    assert done.path == ["a", "a"]


def test_a_node_without_human_description_gets_a_hint() -> None:
    """V21."""
    plain = check(doc([fn("a")]), {"functions": {"a": {"returns": 1}}})
    told = check(doc([fn("a", human_description="Sorts.")]), {"functions": {"a": {"returns": 1}}})

    hints = [p for p in plain.problems if p["code"] == "NoHumanDescription"]
    assert (plain.exit, [h["severity"] for h in hints]) == (0, ["hint"])
    assert "NoHumanDescription" not in told.codes


def test_only_declared_fields_are_shown() -> None:
    """V22."""
    graph = doc(
        [agent("a", writes=["k3"])], state_schema=schema(**{f"k{i}": STR for i in range(10)})
    )
    done = run(graph, answers({"k3": "v"}))

    assert list(asked_schema(done)["properties"]) == ["k3"]
    assert "k4" not in done.prompt()


def test_several_agent_edges_are_advised_against() -> None:
    """V23."""
    found = check(choosing(2), ENDS)

    assert found.exit == 0
    assert [p["severity"] for p in found.problems if p["code"] == "ManyAgentEdges"] == ["hint"]
    assert "ManyAgentEdges" not in check(choosing(1), ENDS).codes


def test_a_missing_reference_fails_before_any_call() -> None:
    """V24."""
    failed = run(doc([agent("a", "{{ memory.nope }}", reads=["nope"])]), answers("x"))
    guarded = "{{ has(memory.nope) ? memory.nope : '-' }}"
    fine = run(doc([agent("a", guarded, reads=["nope"], config={"frame": "bare"})]), answers("x"))

    assert (failed.code, failed.report["spend"]["tokens"]) == ("MissingReference", 0)
    assert (failed.models, failed.activation("a")["attempts"]) == ([], 1)
    assert fine.prompt() == "-"


def test_the_specifications_two_schemas() -> None:
    """V25."""
    extract = doc(
        [agent("a", writes=["parties", "total_value"]), fn("b", "end")],
        ["__start__ -> a", ("a", "b", {"trigger": "agent"})],
        state_schema=schema(parties=STR, total_value=NUM),
    )
    sort = doc(
        [
            agent("a", writes=["classification"]),
            fn("human_review", "end"),
            fn("auto_publish", "end"),
        ],
        [
            "__start__ -> a",
            ("a", "human_review", {"trigger": "agent"}),
            ("a", "auto_publish", {"trigger": "agent"}),
        ],
        state_schema=schema(classification=STR),
    )
    first = run(extract, answers({"parties": "A", "total_value": 2.5}) | ENDS)
    reply = {"classification": "x", "_next_node": "auto_publish"}
    second = run(sort, answers(reply) | ENDS)

    assert asked_schema(first) == {
        "type": "object",
        "properties": {"parties": STR, "total_value": NUM},
        "required": ["parties", "total_value"],
        "additionalProperties": False,
    }
    assert asked_schema(second) == {
        "type": "object",
        "properties": {
            "classification": STR,
            "_next_node": {"type": "string", "enum": ["human_review", "auto_publish"]},
        },
        "required": ["classification", "_next_node"],
        "additionalProperties": False,
    }
    assert second.path == ["a", "auto_publish"]


def test_the_model_is_the_nodes_else_the_agents_else_the_default() -> None:
    """V26."""
    agents = [{"id": "x", "model": "p/agent"}, {"id": "y"}]
    nodes = [
        agent("a", config={"model": "p/node"}),
        agent("b"),
        agent("c", config={"agent_id": "y"}),
    ]
    done = run(doc(nodes, agents=agents), answers("1", "2", "3"))

    assert [c.request.model for c in done.models] == ["p/node", "p/agent", "local/default"]


def test_without_schema_the_text_is_the_output() -> None:
    """V27."""
    done = run(doc([agent("a")]), answers("hello"))

    assert (done.outputs, done.memory) == ({"a": "hello"}, {})


def test_references_are_proven() -> None:
    """V28."""
    bare = check(doc([agent("a", "{{ topic }}")]))
    unreadable_graph = doc([agent("a", "{{ memory.k }}")], initial_memory={"k": 1})
    unreadable = check(unreadable_graph)
    graph = doc(
        [fn("f", writes=["k"]), agent("a", "{{ memory.k }}", reads=["k"]), fn("e", "f", writes=[])],
        ["__start__ -> e", ("e", "f", {"when": "x"}), "e -> a", "f -> a"],
    )
    functions: dict[str, Any] = {"functions": {"f": {"returns": {}}}}
    unproven = check(graph, functions)
    guarded = doc([agent("a", "{{ has(memory.k) ? memory.k : '' }}", reads=["k"])])

    invalid = [p for p in bare.problems if p["code"] == "ExpressionInvalid"]
    assert (bare.exit, len(invalid)) == (1, 1)
    assert "memory.topic" in invalid[0]["message"]
    assert (unreadable.exit, unreadable.codes.count("UnreadableKey")) == (0, 1)
    assert unproven.codes.count("UnprovenReference") == 1
    assert run(unreadable_graph, answers("x")).code == "MissingReference"
    assert not {"UnreadableKey", "UnprovenReference"} & set(check(guarded).codes)


def offered(done: Outcome, call: int = 0) -> list[str]:
    return [t.name for t in done.models[call].request.tools]


TOOLS = {name: [{"result": name}] for name in ("a", "b", "c", "d")}


@pytest.mark.parametrize(
    ("listed", "names"),
    [
        (None, ["a", "b"]),
        (["c"], ["c"]),
        (["+c"], ["a", "b", "c"]),
        (["-a"], ["b"]),
        (["c", "+d", "-c"], ["d"]),
        ([], []),
        (["-zzz"], ["a", "b"]),
    ],
)
def test_a_nodes_list_replaces_adds_and_removes(listed: Any, names: list[str]) -> None:
    """V9."""
    config = {} if listed is None else {"tools": listed}
    graph = doc([agent("n", config=config)], agents=[{"id": "x", "tools": ["a", "b"]}])

    assert sorted(offered(run(graph, answers("ok", tools=TOOLS)))) == names
    stray = "ToolNotInDefaultSet" in check(graph, {"tools": TOOLS}).codes
    assert stray is (listed == ["-zzz"])


def test_control_tools_are_neither_offered_nor_executed() -> None:
    """V11."""
    refused = check(doc([agent("a", config={"tools": ["+retry_node"]})]))
    call = {"tool_calls": [{"name": "set_context", "arguments": {"a": 1}}]}
    script = answers(call, "ok", tools={"set_context": [{"result": 1}]})
    done = run(doc([agent("a")]), script)

    assert (refused.exit, "ReservedToolName" in refused.codes) == (1, True)
    assert "unknown tool" in done.models[1].request.messages[-1].content
    assert (done.tools, offered(done)) == ([], [])


def test_a_tool_node_may_not_name_a_control_tool() -> None:
    """V11."""
    graph = doc([node("t", "tool", config={"tool_id": "retry_node"})])

    assert check(graph, {"tools": {"retry_node": [{"result": 1}]}}).exit == 1
