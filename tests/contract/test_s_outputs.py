"""Rows S19 to S38: outputs, edges over results, reports."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

import pytest

from engine.sdk import NodeTypes, RegistrationError
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
from tests.contract.questions import answer
from tests.contract.scripts import functions, says, see


def test_an_output_gives_the_result() -> None:
    """S19."""
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


def test_without_output_node_the_last_output_is_the_result() -> None:
    """S20."""
    assert run(doc([agent("a")]), says("answer")).report["result"] == "answer"


async def test_the_branch_that_completes_last_gives_the_result() -> None:
    """S20: The result is the output of what completed last, in whatever order it was drawn."""

    async def waits(ctx: Any, params: Any) -> Any:
        return {"output": await ctx.interrupt({"kind": "text", "question": ctx.node.id})}

    edges = ["__start__ -> a -> late", "a -> soon"]
    graph = doc([fn("a"), fn("late", "waits"), fn("soon", "waits")], edges)
    for order in (("late", "soon"), ("soon", "late")):
        local, _run = await started(graph, functions(a={"output": 1}), handlers={"waits": waits})
        state = local.store.peek("r")
        assert state is not None
        asked = {each.request["question"]: each for each in state.interrupts.values()}
        for name in order:
            await answer(local, asked[name], selected=name)
        ended = await local.runner.settled("r")
        await local.runner.close()

        assert (ended.status, ended.result) == ("completed", order[-1])


def test_an_output_combines() -> None:
    """S21."""
    value = (
        "{'analysis': outputs.analyzer, 'processed': outputs.processor,"
        " 'graph_id': context.graph_id, 'timestamp': now()}"
    )
    nodes = [fn("analyzer"), fn("processor"), output("o", value, reads=["outputs", "context"])]
    done = run(doc(nodes), functions(analyzer={"output": 1}, processor={"output": 2}))
    result = done.report["result"]

    assert {k: result[k] for k in ("analysis", "processed", "graph_id")} == {
        "analysis": 1,
        "processed": 2,
        "graph_id": "g",
    }
    at = [result["timestamp"], done.of("NodeStarted", "o")[0]["at"]]
    assert len({datetime.fromisoformat(text) for text in at}) == 1


def test_ids_are_unique() -> None:
    """S23."""
    assert "DuplicateId" in check(doc([fn("a"), fn("a")]), functions(a={})).codes


def split(condition_a: str, condition_b: str, **result: Any) -> Outcome:
    edges: list[Any] = [
        "__start__ -> s",
        ("s", "a", {"condition": condition_a}),
        ("s", "b", {"condition": condition_b}),
    ]
    return run(doc([fn("s"), fn("a", "e"), fn("b", "e")], edges), functions(s=result, e={}))


@pytest.mark.parametrize(
    "result",
    [
        {"output": "path-a"},
        {"data": {"p": "path-a"}},
        {"condition": "path-a"},
        {"intent": "path-a"},
        {"metadata": {"p": "path-a"}},
    ],
)
def test_edge_conditions_see_the_result(result: dict[str, Any]) -> None:
    """S24."""
    name = next(iter(result))
    path = f"result.{name}" + (".p" if name in ("data", "metadata") else "")

    assert split(f"{path} == 'path-a'", f"{path} == 'path-b'", **result).path == ["s", "a"]


def test_edge_conditions_see_data_as_the_default_output() -> None:
    """S7, S24: Without an output of its own the data is the output, for conditions as well."""
    whole = split("result.output.x == 1", "true", data={"x": 1})
    kept = split("outputs.s == {'x': 1}", "true", data={"x": 1})

    assert (whole.path, kept.path) == (["s", "a"], ["s", "a"])
    assert whole.outputs["s"] == {"x": 1}


def test_nothing_links_nodes_but_edges() -> None:
    """S25."""
    assert "EntryMissing" in check(doc([fn("a"), fn("b", "a")], []), functions(a={})).codes


def test_edge_conditions_read_the_metadata() -> None:
    """S26."""
    met = {"metadata": {"condition_met": True}}

    assert split("result.metadata.condition_met == 'true'", "true", **met).path == ["s", "a"]
    assert split("metadata.condition_met == 'true'", "true", **met).path == ["s", "a"]


def test_nodes_share_progress_through_memory() -> None:
    """S27."""

    async def add(ctx: Any, params: Any) -> Any:
        count = ctx.view.memory.get("count", 0) + 1
        return {"data": {"count": count}, "output": count}

    nodes = [fn(n, "add", reads=["count"], writes=["count"]) for n in "abc"]
    done = run(doc(nodes), handlers={"add": add})

    assert (done.outputs, done.memory) == ({"a": 1, "b": 2, "c": 3}, {"count": 3})


def test_context_is_the_same_everywhere() -> None:
    """S28."""
    nodes = [see("a"), tool("t", "add"), approval("p"), see("b")]
    script = {"tools": {"add": [{"result": 1}]}} | functions(see="view")
    done = run(doc(nodes), script, {"p": [{"decision": "approved"}]}, context={"tenant_id": "t1"})
    bare = run(doc([see()]), functions(see="view"))

    assert done.outputs["a"]["context"] == done.outputs["b"]["context"]
    assert done.outputs["a"]["context"]["tenant_id"] == "t1"
    assert done.tools[0].origin.context == done.outputs["a"]["context"]
    assert set(bare.outputs["see"]["context"]) == {"graph_id", "run_id"}


def test_the_report_lists_every_activation() -> None:
    """S29."""
    nodes = [fn("a"), fn("b", "a", disabled=True), fn("c", policy={"max_retries": 1}), fn("d", "a")]
    script = functions(a={"output": 1})
    script["functions"]["c"] = {"error": {"message": "no"}}
    failed = run(doc(nodes), script)
    listed = failed.report["nodes"]

    assert [(n["node"], n["visit"], n["status"], n["attempts"]) for n in listed] == [
        ("a", 1, "completed", 1),
        ("b", 1, "skipped", 0),
        ("c", 1, "failed", 2),
    ]
    assert all(isinstance(n["duration_ms"], int) for n in listed)
    assert listed[1]["output"] == 1
    assert failed.path == ["a", "c"]


REPORT = {
    "run_id",
    "graph_id",
    "status",
    "result",
    "error",
    "memory",
    "outputs",
    "metadata",
    "ui",
    "path",
    "iterations",
    "spend",
    "interrupts",
    "nodes",
}


def test_one_run_of_each_status() -> None:
    """S30."""
    completed = run(doc([fn("a")]), functions(a={"output": 1}))
    waiting = run(doc([question("q")]))
    failed = run(
        doc([fn("a", policy={"max_retries": 0})]), {"functions": {"a": {"error": {"message": "x"}}}}
    )
    cancelled = run(doc([question("q")]), decide={"q": [{"cancel": True}]})
    delay = node("d", "delay", config={"duration_ms": 60_000})
    timeout = run(doc([delay], limits={"max_execution_time_ms": 20}))

    for done, status, code in (
        (completed, "completed", 0),
        (waiting, "waiting", 3),
        (failed, "failed", 1),
        (cancelled, "cancelled", 1),
        (timeout, "timeout", 1),
    ):
        assert (done.status, done.exit) == (status, code)
        assert set(done.report) == REPORT
        assert done.report["result"] == (1 if status == "completed" else None)
    assert failed.report["error"]["node"] == "a"
    assert (completed.code, waiting.code) == (None, None)
    assert (cancelled.code, timeout.code) == ("RunCancelled", "RunTimeout")
    assert len(waiting.report["interrupts"]) == 1
    assert set(waiting.report["interrupts"][0]) == {
        "request_id",
        "resume_token",
        "node",
        "kind",
        "request",
    }
    assert timeout.report["error"]["node"] is None


def test_a_delay_is_a_timer() -> None:
    """S32."""
    nodes = [fn("a"), node("d", "delay", config={"duration_ms": 80}), see()]
    done = run(doc(nodes), functions(a={"metadata": {"k": "v"}}, see="view"))

    assert done.outputs["d"] == "Delayed for 80ms"
    assert done.outputs["see"]["metadata"] == {"k": "v"}
    assert done.activation("d")["duration_ms"] >= 80
    assert len(done.of("TimerFired", "d")) == 1


async def test_a_delay_survives_a_crash_and_fires_once() -> None:
    """S32."""
    graph = doc([node("d", "delay", config={"duration_ms": 40})])
    dead, _run = await started(graph, settle=False)
    await asyncio.gather(*dead.runner._tasks.values())
    local = await revived(graph, dead)
    state = await local.runner.settled("r")
    log = await local.store.events("r")

    assert (state.status, state.outputs["d"]) == ("completed", "Delayed for 40ms")
    assert len([e for e in log if e.type == "TimerFired"]) == 1
    await local.runner.close()


def test_several_output_nodes() -> None:
    """S33."""
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
        "__start__ -> a",
        ("a", "path-a", {"when": "path-a"}),
        ("a", "other", {}),
        "path-a -> result",
        "other -> result",
    ]
    return run(doc(nodes, edges), functions(a={"condition": token}))


def test_the_specifications_greeting() -> None:
    """S34."""
    value = "'Hello, ' + input + '!'"
    done = run(doc([output("greet", value, reads=["input"])]), input="Alice")

    assert done.report["result"] == "Hello, Alice!"


def test_the_specifications_calculation() -> None:
    """S34."""
    nodes = [tool("sum", "add", config={"arguments": {"a": 5, "b": 3}}), output("o")]

    assert run(doc(nodes), {"tools": {"add": [{"result": 8}]}}).report["result"] == 8


def test_the_specifications_enricher() -> None:
    """S34."""
    nodes = [fn("enricher"), output("consumer", "metadata.enriched_at", reads=["metadata"])]
    done = run(doc(nodes), functions(enricher={"metadata": {"enriched_at": "now"}}))

    assert done.report["result"] == "now"


def test_time_and_chance_are_journaled() -> None:
    """S36."""
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
def test_the_specifications_conditional_split(text: str, taken: str) -> None:
    """S37."""

    async def splitter(ctx: Any, params: Any) -> Any:
        met = ctx.view.input.startswith("A")
        return {
            "output": "path-a" if met else "path-b",
            "metadata": {"condition_met": met, "input": ctx.view.input},
        }

    nodes = [
        fn("splitter", reads=["input"]),
        fn("path-a", "e"),
        fn("path-b", "e"),
        output("result"),
    ]
    edges: list[Any] = [
        "__start__ -> splitter",
        ("splitter", "path-a", {"condition": "result.output == 'path-a'"}),
        ("splitter", "path-b", {"condition": "result.output == 'path-b'"}),
        "path-a -> result",
        "path-b -> result",
    ]
    done = run(doc(nodes, edges), functions(e={}), handlers={"splitter": splitter}, input=text)

    assert done.path == ["splitter", taken, "result"]
    met = "true" if taken == "path-a" else "false"
    assert done.report["metadata"] == {"condition_met": met, "input": text}


def test_large_values_are_not_repeated_in_the_log() -> None:
    """S38."""
    large = "x" * (1 << 20)
    nodes = [fn("big"), *(fn(f"n{i}", "e", reads=["outputs.big"]) for i in range(10))]
    done = run(doc(nodes), functions(big={"output": large}, e={}))

    assert done.outputs["big"] == large
    carrying = [e for e in done.events if "$blob" in str(e.get("output"))]
    assert [e["node"] for e in carrying] == ["big"]
    assert carrying[0]["output"]["bytes"] == len(large) + 2
    rest = [len(str(e)) for e in done.events if e.get("node", "").startswith("n")]
    assert max(rest) < 2_000


def test_an_undocumented_type_is_refused() -> None:
    """S31."""
    from engine.sdk import NodeConfig, NodeType

    class Bare(NodeType):
        type = "bare"
        label = "Bare"
        Config = NodeConfig

    Bare.__doc__ = None
    with pytest.raises(RegistrationError):
        NodeTypes().register(Bare)
