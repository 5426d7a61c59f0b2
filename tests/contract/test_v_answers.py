"""Rows V1 to V18: what an agent is asked for, and what becomes of its answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.agents.conversation import parse_answer
from engine.agents.frame import FRAME_HASH, FRAME_VERSION
from engine.core.node_types.conversation import Usage
from engine.integrations.models.chat import ChatResponse
from tests.contract.harness import agent, check, doc, fn, revived, run, started
from tests.contract.scripts import NUM, STR, answers, asked_schema, choosing, schema

CALL_ADD = {"tool_calls": [{"name": "add", "arguments": {"a": 1, "b": 2}}]}


def test_an_agent_works_with_tools_and_the_graph_routes() -> None:
    """V1."""
    graph = doc([agent("a", config={"tools": ["add"]}), fn("b", "end")])
    script = answers(CALL_ADD, CALL_ADD, "six", tools={"add": [{"result": 3}] * 2})
    done = run(graph, script | {"functions": {"end": {"returns": {}}}})

    steps = [e["kind"] for e in done.of("StepIntended", "a")]
    assert done.path == ["a", "b"]
    assert steps == ["model", "tool", "model", "tool", "model"]
    assert len([n for n in done.report["nodes"] if n["node"] == "a"]) == 1


def test_no_default_tool_routes_and_a_control_call_has_no_effect() -> None:
    """V2."""
    call = {"tool_calls": [{"name": "transition_to", "arguments": {"graph": "x"}}]}
    done = run(
        doc([agent("a")], agents=[{"id": "x", "tools": ["add"]}]),
        answers(call, "fine", tools={"add": [{"result": 3}]}),
    )

    assert [t.name for t in done.models[0].request.tools] == ["add"]
    assert "unknown tool" in done.models[1].request.messages[-1].content
    assert (done.outputs, done.of("RunTransitioned")) == ({"a": "fine"}, [])


def test_the_frame_follows_the_system_prompt_and_is_recorded() -> None:
    """V3."""
    agents = [{"id": "x", "system_prompt": "You sort."}]
    framed = run(doc([agent("a", "Sort it.")], agents=agents), answers("ok"))
    again = run(doc([agent("a", "Sort it.")], agents=agents), answers("ok"))
    bare = run(doc([agent("a", "Sort it.", config={"frame": "bare"})]), answers("ok"))

    roles = [(m.role, m.content[:9]) for m in framed.models[0].request.messages]
    assert roles[0] == ("system", "You sort.")
    assert len(roles) == 2
    for done in (framed, again):
        recorded = done.of("StepIntended", "a")[0]
        assert (recorded["frame"], recorded["frame_hash"]) == (FRAME_VERSION, FRAME_HASH)
    assert (
        framed.of("StepIntended")[0]["request_hash"] == again.of("StepIntended")[0]["request_hash"]
    )
    assert [m.content for m in bare.models[0].request.messages] == ["Sort it."]
    assert "frame" not in bare.of("StepIntended", "a")[0]


def test_the_frame_says_what_the_agent_must_know_and_no_more() -> None:
    """V4."""
    graph = doc(
        [
            agent("sort", "Sort {{ memory.text }}.", reads=["text"], writes=["topic"]),
            fn("b", "end"),
            fn("c", "end"),
        ],
        [
            "__start__ -> sort",
            ("sort", "b", {"trigger": "agent", "label": "needs a person"}),
            ("sort", "c", {"trigger": "agent", "label": "can go out"}),
        ],
        name="Triage",
        description="Sorts letters.",
        state_schema=schema(topic={**STR, "description": "its subject"}, text=STR),
        initial_memory={"text": "a letter", "secret": "hunter2"},
    )
    script = answers({"topic": "x", "_next_node": "b"})
    done = run(graph, script | {"functions": {"end": {"returns": {}}}})

    said = done.prompt()
    for part in (
        "Triage",
        "Sorts letters.",
        "Node: sort",
        "Sort a letter.",
        "topic",
        '"text": "a letter"',
        "b: needs a person",
        "c: can go out",
        "its subject",
        "_next_node",
    ):
        assert part in said
    assert "hunter2" not in str(done.models[0].request.to_json())
    assert "secret" not in str(done.models[0].request.to_json())


def test_the_schema_is_derived_from_the_write_keys() -> None:
    """V5."""
    graph = doc(
        [agent("a", writes=["parties", "total_value", "x", "*", "log"])],
        state_schema=schema(
            parties=STR, total_value=NUM, log={"type": "array", "reducer": "append"}
        ),
    )
    done = run(graph, answers({"parties": "A", "total_value": 1}))

    assert asked_schema(done) == {
        "type": "object",
        "properties": {"parties": STR, "total_value": NUM},
        "required": ["parties", "total_value"],
        "additionalProperties": False,
    }
    assert "WriteKeyNotInSchema" in check(graph).codes


ENDS: dict[str, Any] = {"functions": {"end": {"returns": {}}}}


@pytest.mark.parametrize("edges", [0, 1, 2])
def test_next_node_is_asked_for_only_with_several_agent_edges(edges: int) -> None:
    """V6."""
    reply = {"k": "v"} | ({"_next_node": "c"} if edges == 2 else {})
    done = run(choosing(edges), answers(reply) | ENDS)

    properties = asked_schema(done)["properties"]
    if edges < 2:
        assert "_next_node" not in properties
    else:
        assert properties["_next_node"] == {"type": "string", "enum": ["b", "c"]}
        assert "_next_node" in asked_schema(done)["required"]


def test_a_result_schema_replaces_derivation() -> None:
    """V7."""
    own = {**schema(k=STR), "required": ["k"]}
    done = run(choosing(2, result_schema=own), answers({"k": "v", "_next_node": "c"}) | ENDS)

    assert asked_schema(done)["properties"]["k"] == STR
    assert asked_schema(done)["properties"]["_next_node"]["enum"] == ["b", "c"]
    assert (done.path, done.memory) == (["a", "c"], {"k": "v"})
    free = {**schema(k=STR), "required": [], "description": "Perhaps k."}
    silent = run(choosing(2, result_schema=free), answers({"_next_node": "b"}) | ENDS)
    assert (silent.path, silent.memory) == (["a", "b"], {})
    assert asked_schema(silent)["required"] == ["_next_node"]
    assert asked_schema(silent)["description"] == "Perhaps k."
    stray = choosing(0, result_schema=schema(z=STR))
    assert "ResultKeyNotWritable" in check(stray, ENDS).codes


def test_with_and_without_native_schema_memory_is_the_same() -> None:
    """V12."""
    memories = []
    for native in (True, False):

        def observe(local: Any, native: bool = native) -> None:
            local.models.native_schema = native

        done = run(choosing(0), answers({"k": "v"}), observe=observe)
        memories.append(done.memory)
        step = done.of("StepCompleted", "a")[0]["result"]
        assert (step["structured"] is not None) is native
        assert "k (string, required)" in done.prompt()

    assert memories == [{"k": "v"}, {"k": "v"}]


@pytest.mark.parametrize("text", ["Sure, here it is.", "", '{"k": "from the text"}'])
def test_the_structured_block_counts_whatever_the_text_says(text: str) -> None:
    """V12, V13: Where a provider gives a structured block, that is the answer, not its text."""
    response = ChatResponse(text, Usage(), structured={"k": "v"})

    assert parse_answer(response, schema(k=STR), None) == {"k": "v"}


@pytest.mark.parametrize(
    "reply",
    [
        {"json": {"k": "v"}},
        {"text": ' {"k": "v"} '},
        {"text": 'Here it is:\n```json\n{"k": "v"}\n```\nDone.'},
        {"text": '```json {"k": "v"} ```'},
        {"text": '```JSON\r\n{"k": "v"}\r\n```'},
        {"text": '```python\nk = 1\n```\n```\n{"k": "v"}\n```'},
    ],
)
def test_the_answer_is_a_block_or_text_that_parses(reply: dict[str, Any]) -> None:
    """V13."""
    assert run(choosing(0), {"default": [reply]}).memory == {"k": "v"}


def test_two_fenced_blocks_are_no_answer() -> None:
    """V13."""
    text = '```json\n{"k": "v"}\n```\n```json\n{"k": "w"}\n```'

    assert run(choosing(0, repair_turns=0), answers(text)).code == "ResultSchemaMismatch"


def test_next_node_is_split_off() -> None:
    """V14."""
    done = run(choosing(2), answers({"k": "x", "_next_node": "b"}) | ENDS)

    assert done.memory == {"k": "x"}
    assert done.outputs["a"] == {"k": "x"}
    assert done.path == ["a", "b"]


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ({"k": "v", "z": 1}, "WriteNotAllowed"),
        ({"k": 5}, "ResultSchemaMismatch"),
        ({"k": 5, "z": 1}, "WriteNotAllowed"),
        ({}, "ResultSchemaMismatch"),
        ({"k": "v", "_own": 1}, "WriteNotAllowed"),
    ],
)
def test_writes_pass_one_gate(reply: dict[str, Any], code: str) -> None:
    """V15."""
    failed = run(choosing(0, repair_turns=0), {"default": [{"json": reply}]})

    assert (failed.code, failed.memory) == (code, {})
    assert failed.activation("a")["attempts"] == 1


def test_memory_must_fit_the_state_schema() -> None:
    """V15."""
    graph = doc([fn("a")], state_schema=schema(k=STR), initial_memory={"k": "was"})
    failed = run(graph, {"functions": {"a": {"returns": {"data": {"ok": 1, "k": 5}}}}})
    reserved = run(doc([fn("a")]), {"functions": {"a": {"returns": {"data": {"_x": 5}}}}})

    assert (failed.code, failed.memory) == ("StateSchemaViolation", {"k": "was"})
    assert failed.activation("a")["attempts"] == 1
    assert reserved.code == "WriteNotAllowed"


def test_an_agents_write_must_fit_the_state_schema() -> None:
    """V15."""
    graph = doc(
        [agent("a", writes=["k"], config={"repair_turns": 0, "result_schema": schema(k={})})],
        state_schema=schema(k={"type": "string", "minLength": 3}),
    )

    assert run(graph, answers({"k": "v"})).code == "StateSchemaViolation"


def test_the_target_is_declared_or_the_only_one() -> None:
    """V16."""
    alone = run(choosing(1), answers({"k": "v"}) | ENDS)
    missing = run(choosing(2, repair_turns=0), answers({"k": "v"}) | ENDS)
    stray = run(choosing(2, repair_turns=0), answers({"k": "v", "_next_node": "zzz"}) | ENDS)

    assert alone.path == ["a", "b"]
    assert (missing.code, missing.path) == ("NoTarget", ["a"])
    assert (stray.code, stray.path) == ("UndeclaredTarget", ["a"])


def test_a_present_target_must_be_declared_with_one_agent_edge_too() -> None:
    """V16."""
    named = run(choosing(1), answers({"k": "v", "_next_node": "b"}) | ENDS)
    stray = run(choosing(1, repair_turns=0), answers({"k": "v", "_next_node": "zzz"}) | ENDS)

    assert named.path == ["a", "b"]
    assert stray.code == "UndeclaredTarget"


def test_agent_edges_choose_for_an_agent_without_schema() -> None:
    """V16."""
    graph = doc([agent("a"), fn("b", "end")], ["__start__ -> a", ("a", "b", {"trigger": "agent"})])

    assert run(graph, answers("hello") | ENDS).path == ["a", "b"]


def test_result_state_and_edge_are_one_transition() -> None:
    """V17."""
    done = run(choosing(2), answers({"k": "x", "_next_node": "b"}) | ENDS)
    completed = done.of("NodeCompleted", "a")[0]
    follows = done.of("NodeStarted", "b")[0]

    assert completed["writes"] == {"k": "x"}
    assert len(completed["edges"]) == 1
    assert follows["seq"] == completed["seq"] + 1


async def test_after_a_crash_the_agent_is_not_asked_again() -> None:
    """V17."""
    stuck = asyncio.Event()

    async def waits(ctx: Any, params: Any) -> Any:
        if not stuck.is_set():
            stuck.set()
            await asyncio.Event().wait()
        return {"output": "done"}

    graph = doc([agent("a", writes=["k"]), fn("b", "waits")], state_schema=schema(k=STR))
    handlers = {"waits": waits}
    dead, _run = await started(graph, answers({"k": "v"}), handlers=handlers, settle=False)
    await stuck.wait()
    local = await revived(graph, dead, handlers=handlers)
    state = await local.runner.settled("r")

    assert (state.status, state.outputs["b"]) == ("completed", "done")
    assert state.memory == {"k": "v"}
    assert local.models.calls == []  # type: ignore[attr-defined]
    await local.runner.close()


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ("no json", "ResultSchemaMismatch"),
        ({"k": "v", "_next_node": "zzz"}, "UndeclaredTarget"),
        ({"k": "v"}, "NoTarget"),
        ({"k": "v", "z": 1, "_next_node": "b"}, "WriteNotAllowed"),
    ],
)
def test_bad_answers_are_repaired_once_and_never_retried(bad: Any, code: str) -> None:
    """V18."""
    failed = run(choosing(2), answers(bad, bad, bad) | ENDS)
    healed = run(choosing(2), answers(bad, {"k": "v", "_next_node": "b"}) | ENDS)
    short = run(choosing(2, repair_turns=0), answers(bad, bad) | ENDS)
    alone = run(choosing(2), answers(bad) | ENDS)

    assert (failed.code, len(failed.models)) == (code, 2)
    assert failed.activation("a")["attempts"] == 1
    assert (healed.exit, len(healed.models)) == (0, 2)
    assert healed.activation("a")["attempts"] == 1
    assert code in healed.models[1].request.messages[-1].content
    assert (short.code, len(short.models)) == (code, 1)
    assert (alone.code, alone.activation("a")["attempts"]) == (code, 1)


def test_a_repair_the_budget_does_not_allow_fails_with_the_rejection() -> None:
    """V18."""
    graph = choosing(0)
    graph["nodes"][0]["budget"] = {"max_tokens": 100}
    replies = [{"text": "bad", "usage": {"input_tokens": 90, "output_tokens": 5}}] * 2
    failed = run(graph, {"default": replies})

    assert (failed.code, len(failed.models)) == ("ResultSchemaMismatch", 1)
