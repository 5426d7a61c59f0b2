"""Rows C11 to C18, C53, C190, C191: edges, expressions, joins, and what is checked."""

from __future__ import annotations

from typing import Any

import pytest

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
    run,
    tool,
)
from tests.contract.scripts import says

NOTHING: dict[str, Any] = {"functions": {"end": {"returns": {}}}}


def branching(*conditions: str | None, memory: Any = None, **fields: Any) -> dict[str, Any]:
    """Return a graph whose node `a` has an edge to b, c, … for each condition."""
    names = "bcdef"[: len(conditions)]
    edges: list[Any] = ["__start__ -> a"]
    for name, condition in zip(names, conditions, strict=True):
        edges.append(("a", name, {} if condition is None else {"condition": condition}))
    nodes = [fn("a", "end"), *(fn(n, "end") for n in names)]
    return doc(nodes, edges, initial_memory=memory or {}, **fields)


def test_edges_first_match_or_fail() -> None:
    """C11."""
    assert run(branching("true", "true"), NOTHING).path == ["a", "b"]
    lost = run(branching("false"), NOTHING)
    assert (lost.code, lost.exit, lost.path) == ("NoMatchingEdge", 1, ["a"])
    ended = run(branching("false", defaults={"on_no_match": "end"}), NOTHING)
    assert (ended.exit, ended.path) == (0, ["a"])
    assert "ExpressionInvalid" in check(branching("memory. =="), NOTHING).codes
    assert "NoElseEdge" in check(branching("false"), NOTHING).codes
    assert "NoElseEdge" not in check(branching("false", None), NOTHING).codes


@pytest.mark.parametrize(
    ("condition", "memory", "taken"),
    [
        ("!memory.ok", {"ok": False}, True),
        ("memory.x == false", {}, False),
        ("double(memory.score) >= 0.8", {"score": "0.85"}, True),
        ("size(memory.l) == 2 && memory.l[0] == 1", {"l": [1, 2]}, True),
        ("has(memory.a) && memory.a.startsWith('x')", {"a": "xy"}, True),
        ("memory.n == null", {"n": None}, True),
        ("memory.score + 1 > 2", {"score": 1.5}, True),
    ],
)
def test_conditions_are_cel(condition: str, memory: dict[str, Any], taken: bool) -> None:
    """C12."""
    done = run(branching(condition, None, memory=memory), NOTHING)

    assert done.path == ["a", "b" if taken else "c"]


def test_iterations_are_bounded() -> None:
    """C13."""
    endless = doc([fn("a", "end")], ["__start__ -> a -> a"], limits={"max_iterations": 5})
    failed = run(endless, NOTHING)

    assert (failed.report["iterations"], failed.status, failed.exit) == (5, "failed", 1)
    assert (failed.code, len(failed.path)) == ("IterationLimit", 5)
    assert len(run(doc([fn("a", "end")], ["__start__ -> a -> a"]), NOTHING).path) == 50


def test_time_is_bounded() -> None:
    """C13."""
    slow = doc(
        [node("d", "delay", config={"duration_ms": 60_000}), fn("a", "end")],
        limits={"max_execution_time_ms": 50},
    )
    late = run(slow, NOTHING)

    assert (late.status, late.code, late.exit) == ("timeout", "RunTimeout", 1)
    assert late.of("NodeStarted", "a") == []


def test_a_call_in_flight_may_finish_and_is_recorded() -> None:
    """C13."""
    graph = doc([agent("a"), fn("b", "end")], limits={"max_execution_time_ms": 30})
    late = run(graph, {"default": [{"text": "late", "delay_ms": 120}], **NOTHING})

    assert (late.status, late.code) == ("timeout", "RunTimeout")
    assert [e["result"]["text"] for e in late.of("StepCompleted", "a")] == ["late"]
    assert late.of("NodeStarted", "b") == []


def test_waiting_for_people_is_not_counted() -> None:
    """C13."""
    graph = doc([question("q", timeout_ms=120_000)], limits={"max_execution_time_ms": 10_000})
    done = run(graph, decide={"q": [{"expire": True}]})

    assert (done.status, done.code) == ("failed", "InterruptExpired")


def test_lanes_are_named_in_read_keys() -> None:
    """C14."""

    def rendered(prompt: str) -> Outcome:
        graph = doc(
            [fn("a", "one"), agent("b", prompt, reads=["outputs.a"], config={"frame": "bare"})]
        )
        return run(graph, says("ok", functions={"one": {"returns": {"output": 1}}}))

    assert rendered("{{ outputs.a }}").prompt() == "1"
    assert rendered("{{ outputs.b }}").code == "MissingReference"
    for key in ("previous", "input", "outputs", "metadata", "context", "goal", "constraints", "_x"):
        assert "ReservedKey" in check(doc([fn("a", "end", writes=[key])]), NOTHING).codes, key


def test_config_sees_the_view_and_edges_the_state() -> None:
    """C15."""
    one = {"functions": {"one": {"returns": {"output": 1}}, "end": {"returns": {}}}}
    granted = doc([fn("a", "one"), output("o", "outputs.a", reads=["outputs.a"])])
    refused = doc([fn("a", "one"), output("o", "outputs.a")])
    edge = doc(
        [fn("a", "one"), fn("b", "end"), fn("c", "end")],
        ["__start__ -> a", ("a", "b", {"condition": "outputs.a == 1"}), "a -> c"],
    )

    assert run(granted, one).report["result"] == 1
    assert run(refused, one).code == "MissingReference"
    assert "UnreadableKey" in check(refused, one).codes
    assert run(edge, one).path == ["a", "b"]
    unseen = doc([output("o", "has(memory.k)")], initial_memory={"k": 1})
    assert run(unseen).report["result"] is False


def test_an_output_may_always_read_previous() -> None:
    """C15."""
    one = {"functions": {"one": {"returns": {"output": 1}}}}

    assert run(doc([fn("a", "one"), output("o", "previous", reads=[])]), one).report["result"] == 1


@pytest.mark.parametrize("value", [False, None, 0, "", [], {}])
def test_what_counts_as_false(value: Any) -> None:
    """C16."""
    assert run(branching("memory.v", None, memory={"v": value}), NOTHING).path == ["a", "c"]


@pytest.mark.parametrize("value", [True, 1, "x", [0], {"a": 0}, -0.5])
def test_what_counts_as_true(value: Any) -> None:
    """C16."""
    assert run(branching("memory.v", None, memory={"v": value}), NOTHING).path == ["a", "b"]


def test_a_missing_reference_is_false_and_said() -> None:
    """C16."""
    done = run(branching("memory.nope == 1", None), NOTHING)
    failed = run(branching("memory.s > 1", None, memory={"s": "text"}), NOTHING)

    assert done.path == ["a", "c"]
    evaluated = done.of("EdgeEvaluated", "a")
    assert [(e["value"], e.get("missing")) for e in evaluated] == [(False, True)]
    assert (failed.code, failed.exit) == ("ExpressionFailed", 1)
    assert failed.activation("a")["status"] == "completed"


def test_jsonpath_follows_the_standard() -> None:
    """C17."""
    from engine.core.expressions.jsonpath import compile_path

    found = compile_path("$.memory.topics[0]").all({"memory": {"topics": ["a"]}})
    assert list(found) == ["a"]
    graph = doc([agent("a", config={"annealing": {"score_path": "$["}})])
    assert "ExpressionInvalid" in check(graph).codes


def looping(first: Any, **fields: Any) -> dict[str, Any]:
    edges = [
        "__start__ -> " + first["id"],
        (first["id"], first["id"], {"condition": "!has(memory.t_result.b)"}),
    ]
    return doc([first], [*edges, (first["id"], "__end__", {})], **fields)


def test_result_keys_are_replaced_whole() -> None:
    """C18."""
    script = {"tools": {"x": [{"result": {"a": 1}}, {"result": {"b": 2}}]}}
    done = run(looping(tool("t", "x")), script)

    assert done.memory["t_result"] == {"b": 2}
    assert done.outputs["t"] == {"b": 2}


def test_author_data_merges_deeply_unless_replaced() -> None:
    """C18."""
    values = [{"returns": {"data": {"o": {"a": 1}}}}, {"returns": {"data": {"o": {"b": 2}}}}]
    script = {"functions": {"w": values}}

    def merged(**fields: Any) -> Any:
        merge = fields.pop("node_merge", {})
        return run(doc([fn("a", "w"), fn("b", "w", **merge)], **fields), script).memory["o"]

    assert merged() == {"a": 1, "b": 2}
    assert merged(node_merge={"merge": "replace"}) == {"b": 2}
    assert merged(defaults={"merge": "replace"}) == {"b": 2}


DIAMOND = ["__start__ -> a", "a -> b -> d", "a -> c -> d"]


def test_a_join_waits_for_what_will_come() -> None:
    """C53."""
    nodes = [fn(n, "end") for n in "abcd"]
    both = run(doc(nodes, DIAMOND), NOTHING)
    one = run(
        doc(
            nodes, ["__start__ -> a", ("a", "b", {"when": "x"}), ("a", "c", {}), "b -> d", "c -> d"]
        ),
        NOTHING,
    )
    anyone = run(doc([*nodes[:3], fn("d", "end", join="any")], DIAMOND), NOTHING)

    assert both.path.count("d") == 1
    assert both.path[-1] == "d"
    assert one.path == ["a", "c", "d"]
    assert anyone.path.count("d") == 2


def test_parallel_branches_really_overlap() -> None:
    """C53."""
    slow = {"text": "ok", "delay_ms": 60}
    graph = doc(
        [agent("b"), agent("c"), fn("d", "end")], ["__start__ -> b -> d", "__start__ -> c -> d"]
    )
    done = run(graph, {"default": [slow, slow], **NOTHING})

    started = [e["seq"] for e in done.of("NodeStarted") if e["node"] in "bc"]
    completed = [e["seq"] for e in done.of("NodeCompleted") if e["node"] in "bc"]
    assert max(started) < min(completed)


def test_parallel_writes_are_warned_of_and_said() -> None:
    """C53."""
    nodes = [fn("a", "end"), fn("b", "w", writes=["k"]), fn("c", "w", writes=["k"]), fn("d", "end")]
    script = {"functions": {"end": {"returns": {}}, "w": {"returns": {"data": {"k": [1]}}}}}
    reduced = {"type": "object", "properties": {"k": {"type": "array", "reducer": "append"}}}

    assert "ParallelWrites" in check(doc(nodes, DIAMOND), script).codes
    assert "ParallelWrites" not in check(doc(nodes, DIAMOND, state_schema=reduced), script).codes
    assert run(doc(nodes, DIAMOND, state_schema=reduced), script).memory == {"k": [1, 1]}


def test_everything_is_checked() -> None:
    """C190."""
    bad = check(doc([fn("a", "end", policy={"max_retries": -1})]), NOTHING)
    wild = run(doc([fn("a", "end", writes=["*"])]), NOTHING)
    version = doc([fn("a", "end")]) | {"graphwright": 2}

    assert [(p["code"], p["path"]) for p in bad.problems] == [
        ("InvalidValue", "nodes[0].failure_policy.max_retries")
    ]
    assert run(doc([fn("a", "end", policy={"max_retries": -1})]), NOTHING).exit == 2
    assert wild.exit == 0
    assert (check(version).exit, check(version).codes) == (2, ["UnsupportedFormat"])
    assert (check("a: [").exit, check("a: [").codes) == (2, ["UnreadableDocument"])
    assert check(doc([fn("a", "end")])).exit == 1
    assert check(doc([fn("a", "end")]), NOTHING).exit == 0
    assert check(doc([tool("t", "add")])).codes.count("ToolNotFound") == 1
    assert check(doc([tool("t", "add")]), {"tools": {"add": [{"result": 1}]}}).exit == 0


def test_the_entry_is_drawn_or_the_only_loose_node() -> None:
    """C191."""
    free = doc([fn("a", "end"), fn("b", "end")], ["a -> b"])
    loose = doc([fn("a", "end"), fn("b", "end")], [])
    lost = doc(
        [fn("a", "end"), fn("b", "end"), fn("c", "end")], ["__start__ -> a", "b -> c", "c -> b"]
    )
    rejected = doc([approval("p", rejection_node_id="b"), fn("b", "end")], [])

    assert run(free, NOTHING).path == ["a", "b"]
    assert "EntryMissing" in check(loose, NOTHING).codes
    assert check(lost, NOTHING).codes.count("UnreachableNode") == 2
    assert check(lost, NOTHING).exit == 0
    assert check(rejected, NOTHING).exit == 0
    done = run(rejected, NOTHING, {"p": [{"decision": "rejected"}]})
    assert done.path == ["p", "b"]


def test_a_run_names_the_read_key_that_lacks() -> None:
    """C15: What is not readable counts as missing, and the error names the cure."""
    lane = run(doc([output("o", "input.name")]), input={"name": "Ada"})
    memory = run(doc([output("o", "memory.k")], initial_memory={"k": 1}))
    absent = run(doc([output("o", "memory.k", reads=["k"])]))

    cure = 'this node may not read "input.name": add "input.name" to its read keys'
    assert (lane.code, lane.report["error"]["message"]) == ("MissingReference", cure)
    assert 'add "k" to its read keys' in memory.report["error"]["message"]
    assert absent.report["error"]["message"] == "memory.k is missing"
