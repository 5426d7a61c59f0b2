"""Rows V: the agent contract."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.frame import FRAME_HASH, FRAME_VERSION
from tests.contract.harness import Outcome, agent, check, doc, fn, node, revived, run, started

STR, NUM = {"type": "string"}, {"type": "number"}
CALL_ADD = {"tool_calls": [{"name": "add", "arguments": {"a": 1, "b": 2}}]}


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def answers(*replies: Any, **more: Any) -> dict[str, Any]:
    """Return a script whose model gives these replies: text as text, other values as JSON."""
    made = [
        reply if isinstance(reply, dict) and set(reply) & {"text", "json", "tool_calls", "error"}
        else {"text": reply} if isinstance(reply, str) else {"json": reply}
        for reply in replies
    ]  # fmt: skip
    return {"default": made, **more}


def asked_schema(done: Outcome, call: int = 0) -> Any:
    return done.models[call].request.schema


def test_an_agent_works_with_tools_and_the_graph_routes_V1() -> None:
    """V1: An agent works with tools and the graph routes."""
    graph = doc([agent("a", config={"tools": ["add"]}), fn("b", "end")])
    script = answers(CALL_ADD, CALL_ADD, "six", tools={"add": [{"result": 3}] * 2})
    done = run(graph, script | {"functions": {"end": {"returns": {}}}})

    steps = [e["kind"] for e in done.of("StepIntended", "a")]
    assert done.path == ["a", "b"]
    assert steps == ["model", "tool", "model", "tool", "model"]
    assert len([n for n in done.report["nodes"] if n["node"] == "a"]) == 1


def test_no_default_tool_routes_and_a_control_call_has_no_effect_V2() -> None:
    """V2: No default tool routes and a control call has no effect."""
    call = {"tool_calls": [{"name": "transition_to", "arguments": {"graph": "x"}}]}
    done = run(
        doc([agent("a")], agents=[{"id": "x", "tools": ["add"]}]),
        answers(call, "fine", tools={"add": [{"result": 3}]}),
    )

    assert [t.name for t in done.models[0].request.tools] == ["add"]
    assert "unknown tool" in done.models[1].request.messages[-1].content
    assert (done.outputs, done.of("RunTransitioned")) == ({"a": "fine"}, [])


def test_the_frame_follows_the_system_prompt_and_is_recorded_V3() -> None:
    """V3: The frame follows the system prompt and is recorded."""
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


def test_the_frame_says_what_the_agent_must_know_and_no_more_V4() -> None:
    """V4: The frame says what the agent must know and no more."""
    graph = doc(
        [
            agent("sort", "Sort {{ memory.text }}.", reads=["text"], writes=["topic"]),
            fn("b", "end"), fn("c", "end"),
        ],
        [
            "__start__ -> sort",
            ("sort", "b", {"trigger": "agent", "label": "needs a person"}),
            ("sort", "c", {"trigger": "agent", "label": "can go out"}),
        ],
        name="Triage", description="Sorts letters.",
        state_schema=schema(topic={**STR, "description": "its subject"}, text=STR),
        initial_memory={"text": "a letter", "secret": "hunter2"},
    )  # fmt: skip
    script = answers({"topic": "x", "_next_node": "b"})
    done = run(graph, script | {"functions": {"end": {"returns": {}}}})

    said = done.prompt()
    for part in (
        "Triage", "Sorts letters.", "Node: sort", "Sort a letter.", "topic", '"text": "a letter"',
        "b: needs a person", "c: can go out", "its subject", "_next_node",
    ):  # fmt: skip
        assert part in said
    assert "hunter2" not in str(done.models[0].request.to_json())
    assert "secret" not in str(done.models[0].request.to_json())


def test_the_schema_is_derived_from_the_write_keys_V5() -> None:
    """V5: The schema is derived from the write keys."""
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


def choosing(edges: int, **config: Any) -> dict[str, Any]:
    targets = ["b", "c"]
    return doc(
        [agent("a", writes=["k"], config=config), *(fn(t, "end") for t in targets[:edges])],
        ["__start__ -> a", *[("a", t, {"trigger": "agent"}) for t in targets[:edges]]],
        state_schema=schema(k=STR),
    )


ENDS: dict[str, Any] = {"functions": {"end": {"returns": {}}}}


@pytest.mark.parametrize("edges", [0, 1, 2])
def test_next_node_is_asked_for_only_with_several_agent_edges_V6(edges: int) -> None:
    """V6: Next node is asked for only with several agent edges."""
    reply = {"k": "v"} | ({"_next_node": "c"} if edges == 2 else {})
    done = run(choosing(edges), answers(reply) | ENDS)

    properties = asked_schema(done)["properties"]
    if edges < 2:
        assert "_next_node" not in properties
    else:
        assert properties["_next_node"] == {"type": "string", "enum": ["b", "c"]}
        assert "_next_node" in asked_schema(done)["required"]


def test_a_result_schema_replaces_derivation_V7() -> None:
    """V7: A result schema replaces derivation."""
    own = {**schema(k=STR), "required": ["k"]}
    done = run(choosing(2, result_schema=own), answers({"k": "v", "_next_node": "c"}) | ENDS)

    assert asked_schema(done)["properties"]["k"] == STR
    assert asked_schema(done)["properties"]["_next_node"]["enum"] == ["b", "c"]
    assert (done.path, done.memory) == (["a", "c"], {"k": "v"})
    stray = choosing(0, result_schema=schema(z=STR))
    assert "ResultKeyNotWritable" in check(stray, ENDS).codes


def test_with_and_without_native_schema_memory_is_the_same_V12() -> None:
    """V12: With and without native schema memory is the same."""
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


@pytest.mark.parametrize(
    "reply",
    [
        {"json": {"k": "v"}},
        {"text": ' {"k": "v"} '},
        {"text": 'Here it is:\n```json\n{"k": "v"}\n```\nDone.'},
    ],
)
def test_the_answer_is_a_block_or_text_that_parses_V13(reply: dict[str, Any]) -> None:
    """V13: The answer is a block or text that parses."""
    assert run(choosing(0), {"default": [reply]}).memory == {"k": "v"}


def test_two_fenced_blocks_are_no_answer_V13() -> None:
    """V13: Two fenced blocks are no answer."""
    text = '```json\n{"k": "v"}\n```\n```json\n{"k": "w"}\n```'

    assert run(choosing(0, repair_turns=0), answers(text)).code == "ResultSchemaMismatch"


def test_next_node_is_split_off_V14() -> None:
    """V14: Next node is split off."""
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
def test_writes_pass_one_gate_V15(reply: dict[str, Any], code: str) -> None:
    """V15: Writes pass one gate."""
    failed = run(choosing(0, repair_turns=0), {"default": [{"json": reply}]})

    assert (failed.code, failed.memory) == (code, {})
    assert failed.activation("a")["attempts"] == 1


def test_memory_must_fit_the_state_schema_V15() -> None:
    """V15: Memory must fit the state schema."""
    graph = doc([fn("a")], state_schema=schema(k=STR), initial_memory={"k": "was"})
    failed = run(graph, {"functions": {"a": {"returns": {"data": {"ok": 1, "k": 5}}}}})
    reserved = run(doc([fn("a")]), {"functions": {"a": {"returns": {"data": {"_x": 5}}}}})

    assert (failed.code, failed.memory) == ("StateSchemaViolation", {"k": "was"})
    assert failed.activation("a")["attempts"] == 1
    assert reserved.code == "WriteNotAllowed"


def test_an_agents_write_must_fit_the_state_schema_V15() -> None:
    """V15: An agents write must fit the state schema."""
    graph = doc(
        [agent("a", writes=["k"], config={"repair_turns": 0, "result_schema": schema(k={})})],
        state_schema=schema(k={"type": "string", "minLength": 3}),
    )

    assert run(graph, answers({"k": "v"})).code == "StateSchemaViolation"


def test_the_target_is_declared_or_the_only_one_V16() -> None:
    """V16: The target is declared or the only one."""
    alone = run(choosing(1), answers({"k": "v"}) | ENDS)
    missing = run(choosing(2, repair_turns=0), answers({"k": "v"}) | ENDS)
    stray = run(choosing(2, repair_turns=0), answers({"k": "v", "_next_node": "zzz"}) | ENDS)

    assert alone.path == ["a", "b"]
    assert (missing.code, missing.path) == ("NoTarget", ["a"])
    assert (stray.code, stray.path) == ("UndeclaredTarget", ["a"])


def test_a_present_target_must_be_declared_with_one_agent_edge_too_V16() -> None:
    """V16: A present target must be declared with one agent edge too."""
    named = run(choosing(1), answers({"k": "v", "_next_node": "b"}) | ENDS)
    stray = run(choosing(1, repair_turns=0), answers({"k": "v", "_next_node": "zzz"}) | ENDS)

    assert named.path == ["a", "b"]
    assert stray.code == "UndeclaredTarget"


def test_agent_edges_choose_for_an_agent_without_schema_V16() -> None:
    """V16: Agent edges choose for an agent without schema."""
    graph = doc([agent("a"), fn("b", "end")], ["__start__ -> a", ("a", "b", {"trigger": "agent"})])

    assert run(graph, answers("hello") | ENDS).path == ["a", "b"]


def test_result_state_and_edge_are_one_transition_V17() -> None:
    """V17: Result state and edge are one transition."""
    done = run(choosing(2), answers({"k": "x", "_next_node": "b"}) | ENDS)
    completed = done.of("NodeCompleted", "a")[0]
    follows = done.of("NodeStarted", "b")[0]

    assert completed["writes"] == {"k": "x"}
    assert len(completed["edges"]) == 1
    assert follows["seq"] == completed["seq"] + 1


async def test_after_a_crash_the_agent_is_not_asked_again_V17() -> None:
    """V17: After a crash the agent is not asked again."""
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
def test_bad_answers_are_repaired_once_and_never_retried_V18(bad: Any, code: str) -> None:
    """V18: Bad answers are repaired once and never retried."""
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


def test_a_repair_the_budget_does_not_allow_fails_with_the_rejection_V18() -> None:
    """V18: A repair the budget does not allow fails with the rejection."""
    graph = choosing(0)
    graph["nodes"][0]["budget"] = {"max_tokens": 100}
    replies = [{"text": "bad", "usage": {"input_tokens": 90, "output_tokens": 5}}] * 2
    failed = run(graph, {"default": replies})

    assert (failed.code, len(failed.models)) == ("ResultSchemaMismatch", 1)


def test_a_failed_agents_conversation_stays_readable_V19() -> None:
    """V19: A failed agents conversation stays readable."""
    graph = choosing(0, repair_turns=0, tools=["add"])
    failed = run(graph, answers(CALL_ADD, "bad", tools={"add": [{"result": 3}]}))

    assert (failed.status, failed.activation("a")["status"]) == ("failed", "failed")
    done = failed.of("StepCompleted", "a")
    assert len(done) == len(failed.of("StepIntended", "a")) == 3
    assert done[1]["tool"] == "add"
    assert done[1]["result"] == 3
    assert done[2]["result"]["text"] == "bad"


def test_conversations_of_attempts_and_visits_do_not_mix_V20() -> None:
    """V20: Conversations of attempts and visits do not mix."""
    graph = doc(
        [agent("a", writes=["k"])],
        ["__start__ -> a", ("a", "a", {"condition": "outputs.a != 'two'"}), ("a", "__end__", {})],
    )
    broken = {"error": {"status": 500, "message": "x"}}
    done = run(graph, {"default": [broken, {"text": "one"}, {"text": "two"}]})

    keys = [(e["key"], e["attempt"]) for e in done.of("StepIntended")]
    assert keys == [("a#1", 1), ("a#1", 2), ("a#2", 1)]
    assert done.path == ["a", "a"]


def test_a_node_without_human_description_gets_a_hint_V21() -> None:
    """V21: A node without human description gets a hint."""
    plain = check(doc([fn("a")]), {"functions": {"a": {"returns": 1}}})
    told = check(doc([fn("a", human_description="Sorts.")]), {"functions": {"a": {"returns": 1}}})

    hints = [p for p in plain.problems if p["code"] == "NoHumanDescription"]
    assert (plain.exit, [h["severity"] for h in hints]) == (0, ["hint"])
    assert "NoHumanDescription" not in told.codes


def test_only_declared_fields_are_shown_V22() -> None:
    """V22: Only declared fields are shown."""
    graph = doc(
        [agent("a", writes=["k3"])], state_schema=schema(**{f"k{i}": STR for i in range(10)})
    )
    done = run(graph, answers({"k3": "v"}))

    assert list(asked_schema(done)["properties"]) == ["k3"]
    assert "k4" not in done.prompt()


def test_several_agent_edges_are_advised_against_V23() -> None:
    """V23: Several agent edges are advised against."""
    found = check(choosing(2), ENDS)

    assert found.exit == 0
    assert [p["severity"] for p in found.problems if p["code"] == "ManyAgentEdges"] == ["hint"]
    assert "ManyAgentEdges" not in check(choosing(1), ENDS).codes


def test_a_missing_reference_fails_before_any_call_V24() -> None:
    """V24: A missing reference fails before any call."""
    failed = run(doc([agent("a", "{{ memory.nope }}", reads=["nope"])]), answers("x"))
    guarded = "{{ has(memory.nope) ? memory.nope : '-' }}"
    fine = run(doc([agent("a", guarded, reads=["nope"], config={"frame": "bare"})]), answers("x"))

    assert (failed.code, failed.report["spend"]["tokens"]) == ("MissingReference", 0)
    assert (failed.models, failed.activation("a")["attempts"]) == ([], 1)
    assert fine.prompt() == "-"


def test_the_seeds_two_schemas_V25() -> None:
    """V25: The seeds two schemas."""
    extract = doc(
        [agent("a", writes=["parties", "total_value"]), fn("b", "end")],
        ["__start__ -> a", ("a", "b", {"trigger": "agent"})],
        state_schema=schema(parties=STR, total_value=NUM),
    )
    sort = doc(
        [agent("a", writes=["classification"]), fn("human_review", "end"), fn("auto_publish", "end")],
        [
            "__start__ -> a", ("a", "human_review", {"trigger": "agent"}),
            ("a", "auto_publish", {"trigger": "agent"}),
        ],
        state_schema=schema(classification=STR),
    )  # fmt: skip
    first = run(extract, answers({"parties": "A", "total_value": 2.5}) | ENDS)
    reply = {"classification": "x", "_next_node": "auto_publish"}
    second = run(sort, answers(reply) | ENDS)

    assert asked_schema(first) == {
        "type": "object", "properties": {"parties": STR, "total_value": NUM},
        "required": ["parties", "total_value"], "additionalProperties": False,
    }  # fmt: skip
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


def test_the_model_is_the_nodes_else_the_agents_else_the_default_V26() -> None:
    """V26: The model is the nodes else the agents else the default."""
    agents = [{"id": "x", "model": "p/agent"}, {"id": "y"}]
    nodes = [
        agent("a", config={"model": "p/node"}), agent("b"), agent("c", config={"agent_id": "y"}),
    ]  # fmt: skip
    done = run(doc(nodes, agents=agents), answers("1", "2", "3"))

    assert [c.request.model for c in done.models] == ["p/node", "p/agent", "local/default"]


def test_without_schema_the_text_is_the_output_V27() -> None:
    """V27: Without schema the text is the output."""
    done = run(doc([agent("a")]), answers("hello"))

    assert (done.outputs, done.memory) == ({"a": "hello"}, {})


def test_references_are_proven_V28() -> None:
    """V28: References are proven."""
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


# Tools, with scripted ones.


def offered(done: Outcome, call: int = 0) -> list[str]:
    return [t.name for t in done.models[call].request.tools]


TOOLS = {name: [{"result": name}] for name in ("a", "b", "c", "d")}


@pytest.mark.parametrize(
    ("listed", "names"),
    [
        (None, ["a", "b"]), (["c"], ["c"]), (["+c"], ["a", "b", "c"]), (["-a"], ["b"]),
        (["c", "+d", "-c"], ["d"]), ([], []), (["-zzz"], ["a", "b"]),
    ],
)  # fmt: skip
def test_a_nodes_list_replaces_adds_and_removes_V9(listed: Any, names: list[str]) -> None:
    """V9: A nodes list replaces adds and removes."""
    config = {} if listed is None else {"tools": listed}
    graph = doc([agent("n", config=config)], agents=[{"id": "x", "tools": ["a", "b"]}])

    assert sorted(offered(run(graph, answers("ok", tools=TOOLS)))) == names
    stray = "ToolNotInDefaultSet" in check(graph, {"tools": TOOLS}).codes
    assert stray is (listed == ["-zzz"])


def test_control_tools_are_neither_offered_nor_executed_V11() -> None:
    """V11: Control tools are neither offered nor executed."""
    refused = check(doc([agent("a", config={"tools": ["+retry_node"]})]))
    call = {"tool_calls": [{"name": "set_context", "arguments": {"a": 1}}]}
    script = answers(call, "ok", tools={"set_context": [{"result": 1}]})
    done = run(doc([agent("a")]), script)

    assert (refused.exit, "ReservedToolName" in refused.codes) == (1, True)
    assert "unknown tool" in done.models[1].request.messages[-1].content
    assert (done.tools, offered(done)) == ([], [])


def test_a_tool_node_may_not_name_a_control_tool_V11() -> None:
    """V11: A tool node may not name a control tool."""
    graph = doc([node("t", "tool", config={"tool_id": "retry_node"})])

    assert check(graph, {"tools": {"retry_node": [{"result": 1}]}}).exit == 1
