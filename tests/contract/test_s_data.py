"""Rows S1 to S18: context, metadata, prompts, and what nodes hand on."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import NodeError
from tests.contract.harness import (
    agent,
    doc,
    fn,
    run,
    started,
    tool,
)
from tests.contract.scripts import functions, says, see


async def test_a_failure_is_recorded_and_touches_no_other_run() -> None:
    """S1."""

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


def test_a_named_error_keeps_its_code() -> None:
    """S1."""

    async def busy(ctx: Any, params: Any) -> Any:
        raise NodeError("Busy", "later", retryable=False)

    failed = run(doc([fn("a", "busy")]), handlers={"busy": busy})

    assert (failed.code, failed.activation("a")["attempts"]) == ("Busy", 1)
    assert failed.report["error"] == {"code": "Busy", "message": "later", "node": "a"}


def test_context_is_one_lane() -> None:
    """S2."""
    context = {"tenant_id": "t1", "x": 1, "user_id": "u", "session_id": "s", "correlation_id": "c"}
    seen = run(doc([see()]), functions(see="view"), context=context)
    shown = seen.outputs["see"]["context"]

    assert shown == {**context, "graph_id": "g", "run_id": seen.report["run_id"]}
    for name in ("graph_id", "run_id"):
        refused = run(doc([see()]), functions(see="view"), context={name: "mine"})
        assert (refused.exit, refused.codes) == (2, ["InputInvalid"])


@pytest.mark.parametrize("asynchronous", [True, False])
def test_what_a_node_sees_is_read_only(asynchronous: bool) -> None:
    """S3."""

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
def test_an_output_is_any_json_value(value: Any) -> None:
    """S4."""
    done = run(doc([fn("a")]), functions(a={"output": value}))

    assert done.outputs["a"] == value
    assert done.report["result"] == value


def test_metadata_flows_by_itself() -> None:
    """S4."""
    done = run(
        doc([fn("a"), fn("b"), see()]), functions(a={"metadata": {"k": "v"}}, b={}, see="view")
    )

    assert done.outputs["see"]["metadata"] == {"k": "v"}


def test_metadata_is_added_to_what_flows() -> None:
    """S4: Metadata of a result keeps what flowed already, and each branch has its own."""
    edges = ["__start__ -> a -> b -> see", "a -> c -> other"]
    nodes = [fn("a"), fn("b"), fn("c"), see(), fn("other", "see", reads=["metadata"])]
    script = functions(
        a={"metadata": {"k": "v"}},
        b={"metadata": {"own": 1}},
        c={"metadata": {"k": "w"}},
        see="view",
    )
    done = run(doc(nodes, edges), script)

    assert done.outputs["see"]["metadata"] == {"k": "v", "own": "1"}
    assert done.outputs["other"]["metadata"] == {"k": "w"}


def test_several_targets_and_none() -> None:
    """S6."""
    graph = doc(
        [fn("a"), fn("b", "e"), fn("c", "e")], ["__start__ -> a", ("a", "b", {}), ("a", "c", {})]
    )

    assert run(graph, functions(a={"next": ["c"]}, e={})).path == ["a", "c"]
    assert sorted(run(graph, functions(a={"next": []}, e={})).path) == ["a", "b", "c"]


def test_outputs_and_previous() -> None:
    """S7."""
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


def test_an_output_is_replaced_on_every_visit() -> None:
    """S7."""
    graph = doc([fn("a")], ["__start__ -> a", ("a", "a", {"when": "x"}), ("a", "__end__", {})])
    replies = [
        {"returns": {"output": {"a": 1}, "condition": "x"}},
        {"returns": {"output": {"b": 2}}},
    ]

    assert run(graph, {"functions": {"a": replies}}).outputs == {"a": {"b": 2}}


def test_metadata_of_branches_meets_at_a_join() -> None:
    """S8."""
    done = run(
        doc([fn("a"), fn("b"), see()], ["__start__ -> a -> see", "__start__ -> b -> see"]),
        functions(
            a={"metadata": {"k1": "1", "k": "a"}}, b={"metadata": {"k2": "2", "k": "b"}}, see="view"
        ),
    )
    first, last = (n["node"] for n in sorted(done.of("NodeCompleted"), key=lambda e: e["seq"])[:2])

    assert done.outputs["see"]["metadata"] == {"k1": "1", "k2": "2", "k": last}
    assert first != last


def test_an_agents_input_is_its_prompt() -> None:
    """S9."""
    bare = {"frame": "bare"}
    nodes = [agent(n, "{{ previous }}", reads=["previous"], config=bare) for n in ("a", "b")]
    done = run(doc(nodes), says("Hello Alice", "bye"), input="Alice")

    assert [done.prompt(n) for n in (0, 1)] == ["Alice", "Hello Alice"]


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("{{ input }}", '{"q":1}'),
        ("{{ outputs.step1 }}", '{"n":[1,2]}'),
        ("{{ memory.k }}", "v"),
        ("{{ previous }}!", '{"n":[1,2]}!'),
    ],
)
def test_a_prompt_picks_what_it_names(prompt: str, said: str) -> None:
    """S9."""
    reads = ["outputs.step1", "k", "previous"] if "input" not in prompt else ["input"]
    nodes = [fn("step1"), agent("a", prompt, reads=reads, config={"frame": "bare"})]
    graph = doc(nodes, initial_memory={"k": "v"})
    done = run(graph, says("x") | functions(step1={"output": {"n": [1, 2]}}), input={"q": 1})

    assert done.prompt() == said


def test_the_default_prompt_has_goal_and_readable_state_previous_first() -> None:
    """S9."""
    graph = doc(
        [agent("a", "", reads=["k", "previous"], config={"frame": "bare"})],
        goal="Sort.",
        constraints=["Be brief."],
        initial_memory={"k": "value", "secret": "hidden"},
    )
    said = run(graph, says("x"), input="first").prompt()

    assert said.index("Sort.") < said.index("Be brief.") < said.index("first") < said.index("value")
    assert "hidden" not in said


def test_previous_stands_before_the_input_in_a_default_prompt() -> None:
    """S9: The default prompt begins with `previous`, also where the input may be read."""
    reads = ["input", "previous", "metadata", "outputs", "k"]
    nodes = [fn("m"), agent("a", "", reads=reads, config={"frame": "bare"})]
    script = says("x") | functions(m={"output": "from m", "metadata": {"flows": "along"}})
    said = run(doc(nodes, initial_memory={"k": "kept"}), script, input="at the start").prompt()
    places = [said.index(text) for text in ("from m", "at the start", "kept", "along")]

    assert places == sorted(places)
    assert said.startswith("previous:")


def test_calls_are_made_in_the_name_of_graph_run_and_node() -> None:
    """S10."""
    nodes = [fn("m"), agent("a"), tool("t", "add")]
    script = says("x", tools={"add": [{"result": 1}]}) | functions(m={"metadata": {"k": "v"}})
    done = run(doc(nodes), script, context={"tenant_id": "t1"})

    for origin, name in ((done.models[0].origin, "a"), (done.tools[0].origin, "t")):
        assert (origin.graph_id, origin.node_id) == ("g", name)
        assert origin.run_id == done.report["run_id"]
        assert origin.context["tenant_id"] == "t1"
        assert origin.metadata["k"] == "v"
        assert origin.idempotency_key


def test_state_keeps_the_text_only() -> None:
    """S11."""
    done = run(doc([agent("processor")]), says("result text"))

    assert done.outputs["processor"] == "result text"
    step = done.of("StepCompleted", "processor")[0]
    assert step["result"]["usage"] == step["usage"]
    assert step["result"]["finish_reason"] == "stop"


def test_agents_and_tools_name_themselves_in_the_metadata() -> None:
    """S12."""
    agents = [{"id": "x"}, {"id": "y"}]
    nodes = [agent("a"), agent("b", config={"agent_id": "y"}), tool("t", "add")]
    script = says("1", "2", tools={"add": [{"result": 1}]})
    done = run(doc(nodes, agents=agents), script, context={"tenant_id": "t1"})
    without = run(doc([agent("a")]), says("1"))

    assert done.report["metadata"] == {"agent_id": "y", "tenant_id": "t1", "tool_name": "add"}
    assert without.report["metadata"] == {"agent_id": "x"}


def test_metadata_accumulates_as_text() -> None:
    """S13."""
    done = run(
        doc([fn("a"), fn("b"), fn("c")]),
        functions(
            a={"metadata": {"key1": "1", "step": 1}},
            b={"metadata": {"key2": True, "step": 2}},
            c={"metadata": {"o": {"x": [1]}, "step": 3}},
        ),
    )

    assert done.report["metadata"] == {"key1": "1", "key2": "true", "o": '{"x":[1]}', "step": "3"}


def test_metadata_of_a_node_wins_over_the_start() -> None:
    """S14."""
    graph = doc([fn("a"), see()])
    script = functions(a={"metadata": {"priority": "high"}}, see="view")
    done = run(graph, script, metadata={"priority": "low"}, input={"comm": {"data": {"a": 1}}})

    assert done.outputs["see"]["metadata"] == {"priority": "high"}


def test_a_start_carries_metadata() -> None:
    """S15."""
    metadata = {"sessionId": "session-123", "priority": "high", "n": 1}
    done = run(doc([see("a"), see("b")]), functions(see="view"), metadata=metadata)

    for name in ("a", "b"):
        assert done.outputs[name]["metadata"] == {**metadata, "n": "1"}
    refused = run(doc([see()]), functions(see="view"), metadata=[1])
    assert (refused.exit, refused.codes) == (2, ["InputInvalid"])


def test_metadata_is_never_identity() -> None:
    """S16."""
    graph = doc([fn("a"), agent("x1", reads=["context"]), see()])
    script = says("ok") | functions(a={"metadata": {"tenant_id": "third"}}, see="view")
    done = run(graph, script, metadata={"tenant_id": "other"}, context={"tenant_id": "mine"})

    assert done.outputs["see"]["context"]["tenant_id"] == "mine"
    assert done.models[0].origin.context["tenant_id"] == "mine"


def test_a_whole_message_is_an_output_like_any_other() -> None:
    """S17."""
    message = {"content": "x", "metadata": {"a": "1"}}
    nodes = [
        fn("a"),
        agent("b", "{{ previous.content }}", reads=["previous"], config={"frame": "bare"}),
    ]

    assert run(doc(nodes), says("ok") | functions(a={"output": message})).prompt() == "x"


def test_tool_arguments_are_rendered() -> None:
    """S18."""
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


def test_a_tools_error_is_retried() -> None:
    """S18."""
    error = {"error": {"message": "no"}}
    tools = {"add": [error, error, {"result": 8}]}
    done = run(doc([tool("t", "add")]), {"tools": tools})
    failed = run(doc([tool("t", "add")]), {"tools": {"add": [error] * 4}})

    assert (done.exit, done.activation("t")["attempts"]) == (0, 3)
    assert (failed.code, failed.activation("t")["attempts"]) == ("ToolFailed", 4)


def test_an_unsafe_tools_reported_error_is_no_doubt() -> None:
    """S18."""
    replies = [{"error": {"message": "no"}, "effect_class": "unsafe"}, {"result": 8}]
    done = run(doc([tool("t", "add")]), {"tools": {"add": replies}})

    assert (done.exit, done.activation("t")["attempts"]) == (0, 2)
