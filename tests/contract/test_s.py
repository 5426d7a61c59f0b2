"""Rows S: context, metadata, outputs, reports."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

import pytest

from engine.errors import NodeError
from engine.registry import NodeTypes, RegistrationError
from tests.contract.harness import (
    Outcome,
    agent,
    approval,
    check,
    doc,
    fn,
    node,
    output,
    question,
    revived,
    run,
    started,
    tool,
)

ALL = ["input", "previous", "outputs", "metadata", "context", "*"]


def says(*texts: str, **more: Any) -> dict[str, Any]:
    return {"default": [{"text": text} for text in texts], **more}


def functions(**by_name: Any) -> dict[str, Any]:
    """Return scripted functions; `view` stands for the node's view."""
    return {
        "functions": {
            n: {"view": True} if v == "view" else {"returns": v} for n, v in by_name.items()
        }
    }


def see(name: str = "see") -> dict[str, Any]:
    return fn(name, "see", reads=ALL)


async def test_a_failure_is_recorded_and_touches_no_other_run_S1() -> None:
    """S1: A failure is recorded and touches no other run."""

    async def raises(ctx: Any, params: Any) -> Any:
        raise ValueError("broken")

    local, _run = await started(
        doc([fn("a", "raises", policy={"max_retries": 1})]), handlers={"raises": raises}
    )
    state = await local.runner.settled("r")
    other, _run = await started(doc([fn("a")]), functions(a={}))

    assert (state.status, (state.error or {})["code"]) == ("failed", "HandlerFailed")
    assert "ValueError: broken" in (state.error or {})["message"]
    assert (await other.runner.settled("r")).status == "completed"
    await local.runner.close()
    await other.runner.close()


def test_a_named_error_keeps_its_code_S1() -> None:
    """S1: A named error keeps its code."""

    async def busy(ctx: Any, params: Any) -> Any:
        raise NodeError("Busy", "later", retryable=False)

    failed = run(doc([fn("a", "busy")]), handlers={"busy": busy})

    assert (failed.code, failed.activation("a")["attempts"]) == ("Busy", 1)
    assert failed.report["error"] == {"code": "Busy", "message": "later", "node": "a"}


def test_context_is_one_lane_S2() -> None:
    """S2: Context is one lane."""
    context = {"tenant_id": "t1", "x": 1, "user_id": "u", "session_id": "s", "correlation_id": "c"}
    seen = run(doc([see()]), functions(see="view"), context=context)
    shown = seen.outputs["see"]["context"]

    assert shown == {**context, "graph_id": "g", "run_id": seen.report["run_id"]}
    for name in ("graph_id", "run_id"):
        refused = run(doc([see()]), functions(see="view"), context={name: "mine"})
        assert (refused.exit, refused.codes) == (2, ["InputInvalid"])


@pytest.mark.parametrize("asynchronous", [True, False])
def test_what_a_node_sees_is_read_only_S3(asynchronous: bool) -> None:
    """S3: What a node sees is read only."""

    def assigns(ctx: Any, params: Any) -> Any:
        ctx.view.memory["a"] = 1

    async def awaited(ctx: Any, params: Any) -> Any:
        assigns(ctx, params)

    handler = awaited if asynchronous else assigns
    failed = run(
        doc([fn("a", "h", reads=["*"], policy={"max_retries": 0})], initial_memory={"a": 0}),
        handlers={"h": handler},
    )

    assert (failed.code, failed.memory) == ("HandlerFailed", {"a": 0})


@pytest.mark.parametrize("value", [None, 0, False, "x", [1], {"a": 1}, 2.5])
def test_an_output_is_any_json_value_S4(value: Any) -> None:
    """S4: An output is any json value."""
    done = run(doc([fn("a")]), functions(a={"output": value}))

    assert done.outputs["a"] == value
    assert done.report["result"] == value


def test_metadata_flows_by_itself_S4() -> None:
    """S4: Metadata flows by itself."""
    done = run(
        doc([fn("a"), fn("b"), see()]), functions(a={"metadata": {"k": "v"}}, b={}, see="view")
    )

    assert done.outputs["see"]["metadata"] == {"k": "v"}


def test_several_targets_and_none_S6() -> None:
    """S6: Several targets and none."""
    graph = doc(
        [fn("a"), fn("b", "e"), fn("c", "e")], ["__start__ -> a", ("a", "b", {}), ("a", "c", {})]
    )

    assert run(graph, functions(a={"next": ["c"]}, e={})).path == ["a", "c"]
    assert sorted(run(graph, functions(a={"next": []}, e={})).path) == ["a", "b", "c"]


def test_outputs_and_previous_S7() -> None:
    """S7: Outputs and previous."""
    line = run(
        doc([see("a"), fn("b"), see("c")]), functions(see="view", b={"data": {"n": 1}}), input="in"
    )

    assert line.outputs["a"]["previous"] == "in"
    assert line.outputs["b"] == {"n": 1}
    assert line.outputs["c"]["previous"] == {"n": 1}
    assert line.outputs["c"]["outputs"]["b"] == {"n": 1}
    assert line.outputs["c"]["input"]["rawInput"] == "in"
    joined = run(
        doc([fn("a"), fn("b"), see("c")], ["__start__ -> a -> c", "__start__ -> b -> c"]),
        functions(a={"output": 1}, b={"output": 2}, see="view"),
    )
    assert joined.outputs["c"]["previous"] == {"a": 1, "b": 2}


def test_an_output_is_replaced_on_every_visit_S7() -> None:
    """S7: An output is replaced on every visit."""
    graph = doc([fn("a")], ["__start__ -> a", ("a", "a", {"when": "x"}), ("a", "__end__", {})])
    replies = [
        {"returns": {"output": {"a": 1}, "condition": "x"}},
        {"returns": {"output": {"b": 2}}},
    ]

    assert run(graph, {"functions": {"a": replies}}).outputs == {"a": {"b": 2}}


def test_metadata_of_branches_meets_at_a_join_S8() -> None:
    """S8: Metadata of branches meets at a join."""
    done = run(
        doc([fn("a"), fn("b"), see()], ["__start__ -> a -> see", "__start__ -> b -> see"]),
        functions(
            a={"metadata": {"k1": "1", "k": "a"}}, b={"metadata": {"k2": "2", "k": "b"}}, see="view"
        ),
    )
    first, last = (n["node"] for n in sorted(done.of("NodeCompleted"), key=lambda e: e["seq"])[:2])

    assert done.outputs["see"]["metadata"] == {"k1": "1", "k2": "2", "k": last}
    assert first != last


def test_an_agents_input_is_its_prompt_S9() -> None:
    """S9: An agents input is its prompt."""
    bare = {"frame": "bare"}
    nodes = [agent(n, "{{ previous }}", reads=["previous"], config=bare) for n in ("a", "b")]
    done = run(doc(nodes), says("Hello Alice", "bye"), input="Alice")

    assert [done.prompt(n) for n in (0, 1)] == ["Alice", "Hello Alice"]


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("{{ input }}", '{"q":1}'), ("{{ outputs.step1 }}", '{"n":[1,2]}'), ("{{ memory.k }}", "v"),
        ("{{ previous }}!", '{"n":[1,2]}!'),
    ],
)  # fmt: skip
def test_a_prompt_picks_what_it_names_S9(prompt: str, said: str) -> None:
    """S9: A prompt picks what it names."""
    reads = ["outputs.step1", "k", "previous"] if "input" not in prompt else ["input"]
    nodes = [fn("step1"), agent("a", prompt, reads=reads, config={"frame": "bare"})]
    graph = doc(nodes, initial_memory={"k": "v"})
    done = run(graph, says("x") | functions(step1={"output": {"n": [1, 2]}}), input={"q": 1})

    assert done.prompt() == said


def test_the_default_prompt_has_goal_and_readable_state_previous_first_S9() -> None:
    """S9: The default prompt has goal and readable state previous first."""
    graph = doc(
        [agent("a", "", reads=["k", "previous"], config={"frame": "bare"})],
        goal="Sort.", constraints=["Be brief."], initial_memory={"k": "value", "secret": "hidden"},
    )  # fmt: skip
    said = run(graph, says("x"), input="first").prompt()

    assert said.index("Sort.") < said.index("Be brief.") < said.index("first") < said.index("value")
    assert "hidden" not in said


def test_calls_are_made_in_the_name_of_graph_run_and_node_S10() -> None:
    """S10: Calls are made in the name of graph run and node."""
    nodes = [fn("m"), agent("a"), tool("t", "add")]
    script = says("x", tools={"add": [{"result": 1}]}) | functions(m={"metadata": {"k": "v"}})
    done = run(doc(nodes), script, context={"tenant_id": "t1"})

    for origin, name in ((done.models[0].origin, "a"), (done.tools[0].origin, "t")):
        assert (origin.graph_id, origin.node_id) == ("g", name)
        assert origin.run_id == done.report["run_id"]
        assert origin.context["tenant_id"] == "t1"
        assert origin.metadata["k"] == "v"
        assert origin.idempotency_key


def test_state_keeps_the_text_only_S11() -> None:
    """S11: State keeps the text only."""
    done = run(doc([agent("processor")]), says("result text"))

    assert done.outputs["processor"] == "result text"
    step = done.of("StepCompleted", "processor")[0]
    assert step["result"]["usage"] == step["usage"]
    assert step["result"]["finish_reason"] == "stop"


def test_agents_and_tools_name_themselves_in_the_metadata_S12() -> None:
    """S12: Agents and tools name themselves in the metadata."""
    agents = [{"id": "x"}, {"id": "y"}]
    nodes = [agent("a"), agent("b", config={"agent_id": "y"}), tool("t", "add")]
    script = says("1", "2", tools={"add": [{"result": 1}]})
    done = run(doc(nodes, agents=agents), script, context={"tenant_id": "t1"})
    without = run(doc([agent("a")]), says("1"))

    assert done.report["metadata"] == {"agent_id": "y", "tenant_id": "t1", "tool_name": "add"}
    assert without.report["metadata"] == {"agent_id": "x"}


def test_metadata_accumulates_as_text_S13() -> None:
    """S13: Metadata accumulates as text."""
    done = run(
        doc([fn("a"), fn("b"), fn("c")]),
        functions(
            a={"metadata": {"key1": "1", "step": 1}}, b={"metadata": {"key2": True, "step": 2}},
            c={"metadata": {"o": {"x": [1]}, "step": 3}},
        ),
    )  # fmt: skip

    assert done.report["metadata"] == {"key1": "1", "key2": "true", "o": '{"x":[1]}', "step": "3"}


def test_metadata_of_a_node_wins_over_the_start_S14() -> None:
    """S14: Metadata of a node wins over the start."""
    graph = doc([fn("a"), see()])
    script = functions(a={"metadata": {"priority": "high"}}, see="view")
    done = run(graph, script, metadata={"priority": "low"}, input={"comm": {"data": {"a": 1}}})

    assert done.outputs["see"]["metadata"] == {"priority": "high"}


def test_a_start_carries_metadata_S15() -> None:
    """S15: A start carries metadata."""
    metadata = {"sessionId": "session-123", "priority": "high", "n": 1}
    done = run(doc([see("a"), see("b")]), functions(see="view"), metadata=metadata)

    for name in ("a", "b"):
        assert done.outputs[name]["metadata"] == {**metadata, "n": "1"}
    refused = run(doc([see()]), functions(see="view"), metadata=[1])
    assert (refused.exit, refused.codes) == (2, ["InputInvalid"])


def test_metadata_is_never_identity_S16() -> None:
    """S16: Metadata is never identity."""
    graph = doc([fn("a"), agent("x1", reads=["context"]), see()])
    script = says("ok") | functions(a={"metadata": {"tenant_id": "third"}}, see="view")
    done = run(graph, script, metadata={"tenant_id": "other"}, context={"tenant_id": "mine"})

    assert done.outputs["see"]["context"]["tenant_id"] == "mine"
    assert done.models[0].origin.context["tenant_id"] == "mine"


def test_a_whole_message_is_an_output_like_any_other_S17() -> None:
    """S17: A whole message is an output like any other."""
    message = {"content": "x", "metadata": {"a": "1"}}
    nodes = [
        fn("a"),
        agent("b", "{{ previous.content }}", reads=["previous"], config={"frame": "bare"}),
    ]

    assert run(doc(nodes), says("ok") | functions(a={"output": message})).prompt() == "x"


def test_tool_arguments_are_rendered_S18() -> None:
    """S18: Tool arguments are rendered."""
    arguments = {
        "a": 5,
        "b": "{{ memory.n }}",
        "c": None,
        "d": "n={{ memory.n }}",
        "e": ["{{ memory.n }}"],
    }
    graph = doc(
        [tool("t", "add", reads=["n"], config={"arguments": arguments})], initial_memory={"n": 3}
    )
    done = run(graph, {"tools": {"add": [{"result": 8}]}}, context={"user_id": "u"})

    assert done.tools[0].arguments == {"a": 5, "b": 3, "d": "n=3", "e": [3]}
    assert done.tools[0].origin.context["user_id"] == "u"
    assert done.outputs["t"] == 8


def test_a_tools_error_is_retried_S18() -> None:
    """S18: A tools error is retried."""
    error = {"error": {"message": "no"}}
    tools = {"add": [error, error, {"result": 8}]}
    done = run(doc([tool("t", "add")]), {"tools": tools})
    failed = run(doc([tool("t", "add")]), {"tools": {"add": [error] * 4}})

    assert (done.exit, done.activation("t")["attempts"]) == (0, 3)
    assert (failed.code, failed.activation("t")["attempts"]) == ("ToolFailed", 4)


def test_an_unsafe_tools_reported_error_is_no_doubt_S18() -> None:
    """S18: An unsafe tools reported error is no doubt."""
    replies = [{"error": {"message": "no"}, "effect_class": "unsafe"}, {"result": 8}]
    done = run(doc([tool("t", "add")]), {"tools": {"add": replies}})

    assert (done.exit, done.activation("t")["attempts"]) == (0, 2)


def test_an_output_gives_the_result_S19() -> None:
    """S19: An output gives the result."""
    done = run(doc([fn("a"), output("o")]), functions(a={"output": "from a"}))
    missing = run(doc([output("o", "memory.nope", reads=["nope"])]))
    noted = run(
        doc([output("o", "1", config={"value": "1", "metadata": {"m": "{{ goal }}"}})], goal="G")
    )
    early = run(doc([fn("a"), output("o"), fn("b")]), functions(a={"output": 1}, b={"output": 2}))

    assert done.report["result"] == "from a"
    assert (missing.code, missing.activation("o")["attempts"]) == ("MissingReference", 1)
    assert noted.report["metadata"] == {"m": "G"}
    assert early.report["result"] == 1


def test_without_output_node_the_last_output_is_the_result_S20() -> None:
    """S20: Without output node the last output is the result."""
    assert run(doc([agent("a")]), says("answer")).report["result"] == "answer"


def test_an_output_combines_S21() -> None:
    """S21: An output combines."""
    value = (
        "{'analysis': outputs.analyzer, 'processed': outputs.processor,"
        " 'graph_id': context.graph_id, 'timestamp': now()}"
    )
    nodes = [fn("analyzer"), fn("processor"), output("o", value, reads=["outputs", "context"])]
    done = run(doc(nodes), functions(analyzer={"output": 1}, processor={"output": 2}))
    result = done.report["result"]

    assert {k: result[k] for k in ("analysis", "processed", "graph_id")} == {
        "analysis": 1, "processed": 2, "graph_id": "g",
    }  # fmt: skip
    at = [result["timestamp"], done.of("NodeStarted", "o")[0]["at"]]
    assert len({datetime.fromisoformat(text) for text in at}) == 1


def test_ids_are_unique_S23() -> None:
    """S23: Ids are unique."""
    assert "DuplicateId" in check(doc([fn("a"), fn("a")]), functions(a={})).codes


def split(condition_a: str, condition_b: str, **result: Any) -> Outcome:
    edges: list[Any] = [
        "__start__ -> s", ("s", "a", {"condition": condition_a}), ("s", "b", {"condition": condition_b}),
    ]  # fmt: skip
    return run(doc([fn("s"), fn("a", "e"), fn("b", "e")], edges), functions(s=result, e={}))


@pytest.mark.parametrize(
    "result",
    [
        {"output": "path-a"}, {"data": {"p": "path-a"}}, {"condition": "path-a"},
        {"intent": "path-a"}, {"metadata": {"p": "path-a"}},
    ],
)  # fmt: skip
def test_edge_conditions_see_the_result_S24(result: dict[str, Any]) -> None:
    """S24: Edge conditions see the result."""
    name = next(iter(result))
    path = f"result.{name}" + (".p" if name in ("data", "metadata") else "")

    assert split(f"{path} == 'path-a'", f"{path} == 'path-b'", **result).path == ["s", "a"]


def test_nothing_links_nodes_but_edges_S25() -> None:
    """S25: Nothing links nodes but edges."""
    assert "EntryMissing" in check(doc([fn("a"), fn("b", "a")], []), functions(a={})).codes


def test_edge_conditions_read_the_metadata_S26() -> None:
    """S26: Edge conditions read the metadata."""
    met = {"metadata": {"condition_met": True}}

    assert split("result.metadata.condition_met == 'true'", "true", **met).path == ["s", "a"]
    assert split("metadata.condition_met == 'true'", "true", **met).path == ["s", "a"]


def test_nodes_share_progress_through_memory_S27() -> None:
    """S27: Nodes share progress through memory."""

    async def add(ctx: Any, params: Any) -> Any:
        count = ctx.view.memory.get("count", 0) + 1
        return {"data": {"count": count}, "output": count}

    nodes = [fn(n, "add", reads=["count"], writes=["count"]) for n in "abc"]
    done = run(doc(nodes), handlers={"add": add})

    assert (done.outputs, done.memory) == ({"a": 1, "b": 2, "c": 3}, {"count": 3})


def test_context_is_the_same_everywhere_S28() -> None:
    """S28: Context is the same everywhere."""
    nodes = [see("a"), tool("t", "add"), approval("p"), see("b")]
    script = {"tools": {"add": [{"result": 1}]}} | functions(see="view")
    done = run(doc(nodes), script, {"p": [{"decision": "approved"}]}, context={"tenant_id": "t1"})
    bare = run(doc([see()]), functions(see="view"))

    assert done.outputs["a"]["context"] == done.outputs["b"]["context"]
    assert done.outputs["a"]["context"]["tenant_id"] == "t1"
    assert done.tools[0].origin.context == done.outputs["a"]["context"]
    assert set(bare.outputs["see"]["context"]) == {"graph_id", "run_id"}


def test_the_report_lists_every_activation_S29() -> None:
    """S29: The report lists every activation."""
    nodes = [fn("a"), fn("b", "a", disabled=True), fn("c", policy={"max_retries": 1}), fn("d", "a")]
    script = functions(a={"output": 1})
    script["functions"]["c"] = {"error": {"message": "no"}}
    failed = run(doc(nodes), script)
    listed = failed.report["nodes"]

    assert [(n["node"], n["visit"], n["status"], n["attempts"]) for n in listed] == [
        ("a", 1, "completed", 1), ("b", 1, "skipped", 0), ("c", 1, "failed", 2),
    ]  # fmt: skip
    assert all(isinstance(n["duration_ms"], int) for n in listed)
    assert listed[1]["output"] == 1
    assert failed.path == ["a", "c"]


REPORT = {
    "run_id", "graph_id", "status", "result", "error", "memory", "outputs", "metadata", "ui", "path",
    "iterations", "spend", "interrupts", "nodes",
}  # fmt: skip


def test_one_run_of_each_status_S30() -> None:
    """S30: One run of each status."""
    completed = run(doc([fn("a")]), functions(a={"output": 1}))
    waiting = run(doc([question("q")]))
    failed = run(
        doc([fn("a", policy={"max_retries": 0})]), {"functions": {"a": {"error": {"message": "x"}}}}
    )
    cancelled = run(doc([question("q")]), decide={"q": [{"cancel": True}]})
    delay = node("d", "delay", config={"duration_ms": 60_000})
    timeout = run(doc([delay], limits={"max_execution_time_ms": 20}))

    for done, status, code in (
        (completed, "completed", 0), (waiting, "waiting", 3), (failed, "failed", 1),
        (cancelled, "cancelled", 1), (timeout, "timeout", 1),
    ):  # fmt: skip
        assert (done.status, done.exit) == (status, code)
        assert set(done.report) == REPORT
        assert done.report["result"] == (1 if status == "completed" else None)
    assert failed.report["error"]["node"] == "a"
    assert len(waiting.report["interrupts"]) == 1
    assert set(waiting.report["interrupts"][0]) == {
        "request_id",
        "resume_token",
        "node",
        "kind",
        "request",
    }
    assert (completed.report["error"], cancelled.report["error"]) == (None, None)


def test_a_delay_is_a_timer_S32() -> None:
    """S32: A delay is a timer."""
    nodes = [fn("a"), node("d", "delay", config={"duration_ms": 80}), see()]
    done = run(doc(nodes), functions(a={"metadata": {"k": "v"}}, see="view"))

    assert done.outputs["d"] == "Delayed for 80ms"
    assert done.outputs["see"]["metadata"] == {"k": "v"}
    assert done.activation("d")["duration_ms"] >= 80
    assert len(done.of("TimerFired", "d")) == 1


async def test_a_delay_survives_a_crash_and_fires_once_S32() -> None:
    """S32: A delay survives a crash and fires once."""
    graph = doc([node("d", "delay", config={"duration_ms": 40})])
    dead, _run = await started(graph, settle=False)
    await asyncio.gather(*dead.runner._tasks.values())
    local = await revived(graph, dead)
    state = await local.runner.settled("r")
    log = await local.store.events("r")

    assert (state.status, state.outputs["d"]) == ("completed", "Delayed for 40ms")
    assert len([e for e in log if e.type == "TimerFired"]) == 1
    await local.runner.close()


def test_several_output_nodes_S33() -> None:
    """S33: Several output nodes."""
    nodes = [fn("a"), output("first", "1"), output("second", "2")]
    done = run(doc(nodes), functions(a={}))
    branch = split_to_outputs("path-a")

    assert done.report["result"] == 2
    assert (done.outputs["first"], done.outputs["second"]) == (1, 2)
    assert branch.report["result"] == "path-a"
    assert branch.path == ["a", "path-a", "result"]


def split_to_outputs(token: str) -> Outcome:
    nodes = [fn("a"), output("path-a", "'path-a'"), output("other", "'other'"), output("result")]
    edges: list[Any] = [
        "__start__ -> a", ("a", "path-a", {"when": "path-a"}), ("a", "other", {}),
        "path-a -> result", "other -> result",
    ]  # fmt: skip
    return run(doc(nodes, edges), functions(a={"condition": token}))


def test_the_seeds_greeting_S34() -> None:
    """S34: The seeds greeting."""
    value = "'Hello, ' + input + '!'"
    done = run(doc([output("greet", value, reads=["input"])]), input="Alice")

    assert done.report["result"] == "Hello, Alice!"


def test_the_seeds_calculation_S34() -> None:
    """S34: The seeds calculation."""
    nodes = [tool("sum", "add", config={"arguments": {"a": 5, "b": 3}}), output("o")]

    assert run(doc(nodes), {"tools": {"add": [{"result": 8}]}}).report["result"] == 8


def test_the_seeds_enricher_S34() -> None:
    """S34: The seeds enricher."""
    nodes = [fn("enricher"), output("consumer", "metadata.enriched_at", reads=["metadata"])]
    done = run(doc(nodes), functions(enricher={"metadata": {"enriched_at": "now"}}))

    assert done.report["result"] == "now"


def test_time_and_chance_are_journaled_S36() -> None:
    """S36: Time and chance are journaled."""
    seen: list[Any] = []

    async def notes(ctx: Any, params: Any) -> Any:
        seen.append((await ctx.now(), await ctx.random()))
        await ctx.interrupt({"kind": "text", "question": "?"})
        return {"data": {"last_updated": seen[-1][0]}}

    done = run(
        doc([fn("a", "notes")]), decide={"a": [{"selected": "x"}]}, handlers={"notes": notes}
    )

    assert len(seen) == 2
    assert seen[0] == seen[1]
    assert done.memory["last_updated"] == seen[0][0]


@pytest.mark.parametrize(("text", "taken"), [("Apple", "path-a"), ("Banana", "path-b")])
def test_the_seeds_conditional_split_S37(text: str, taken: str) -> None:
    """S37: The seeds conditional split."""

    async def splitter(ctx: Any, params: Any) -> Any:
        met = ctx.view.input.startswith("A")
        return {
            "output": "path-a" if met else "path-b",
            "metadata": {"condition_met": met, "input": ctx.view.input},
        }

    nodes = [
        fn("splitter", reads=["input"]), fn("path-a", "e"), fn("path-b", "e"), output("result"),
    ]  # fmt: skip
    edges: list[Any] = [
        "__start__ -> splitter", ("splitter", "path-a", {"condition": "result.output == 'path-a'"}),
        ("splitter", "path-b", {"condition": "result.output == 'path-b'"}),
        "path-a -> result", "path-b -> result",
    ]  # fmt: skip
    done = run(doc(nodes, edges), functions(e={}), handlers={"splitter": splitter}, input=text)

    assert done.path == ["splitter", taken, "result"]
    met = "true" if taken == "path-a" else "false"
    assert done.report["metadata"] == {"condition_met": met, "input": text}


def test_large_values_are_not_repeated_in_the_log_S38() -> None:
    """S38: Large values are not repeated in the log."""
    large = "x" * (1 << 20)
    nodes = [fn("big"), *(fn(f"n{i}", "e", reads=["outputs.big"]) for i in range(10))]
    done = run(doc(nodes), functions(big={"output": large}, e={}))

    assert done.outputs["big"] == large
    carrying = [e for e in done.events if "$blob" in str(e.get("output"))]
    assert [e["node"] for e in carrying] == ["big"]
    assert carrying[0]["output"]["bytes"] == len(large) + 2
    rest = [len(str(e)) for e in done.events if e.get("node", "").startswith("n")]
    assert max(rest) < 2_000


def test_an_undocumented_type_is_refused_S31() -> None:
    """S31: An undocumented type is refused."""
    from engine.node import NodeConfig, NodeType

    class Bare(NodeType):
        type = "bare"
        label = "Bare"
        Config = NodeConfig

    Bare.__doc__ = None
    with pytest.raises(RegistrationError):
        NodeTypes().register(Bare)
