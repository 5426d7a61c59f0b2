"""Rows C100 to C107: maps, and C19 for what they run."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import (
    Edge,
    Outcome,
    agent,
    approval,
    check,
    codes,
    doc,
    fn,
    node,
    question,
    run,
    tool,
)
from tests.contract.mapping import item_of, mapped, mapping

ONE_TRY = {"max_retries": 0}


END: dict[str, Any] = {"functions": {"end": {"returns": {}}, "seen": {"view": True}}}


def flat(outcome: Outcome, name: str = "m") -> list[tuple[int, Any]]:
    return [(r["index"], r["output"]) for r in outcome.memory[f"{name}_results"]]


async def picky(ctx: Any, params: Any) -> Any:
    if ctx.item == "bad":
        raise ValueError("not this one")
    return {"output": ctx.item}


def picked(items: list[Any], **config: Any) -> Outcome:
    worker = fn("w", "picky", policy=ONE_TRY)
    return run(mapped(worker, items, config=config), handlers={"picky": picky})


def test_a_worker_is_needed_and_runs_once_for_each_item() -> None:
    """C100."""
    done = run(mapped(fn("w", "item"), ["a", "b", "c"]), handlers={"item": item_of})

    assert done.path == ["w[0]", "w[1]", "w[2]", "m"]
    bad = doc([node("m", "map", config={"static_items": [1]})])
    assert "MissingField" in check(bad).codes
    for name, code in (("zzz", "UnknownNode"), ("m", "InvalidValue")):
        document = doc([mapping([1], worker_node_id=name), fn("w", "end")], ["__start__ -> m"])
        assert code in check(document, END).codes, name


@pytest.mark.parametrize(
    ("path", "items"),
    [
        ("$.memory.topics", ["a", "b"]),
        ("$.memory.rows[*].id", [1, 2]),
        ("$.memory.rows[*].tags", ["x", "y"]),
        ("$.memory.rows[*].mixed", [5, ["never"]]),
        ("$.memory.rows[0].name", None),
        ("$.memory.rows[0]", [{"id": 1, "name": "n", "tags": ["x", "y"], "mixed": 5}]),
        ("$.memory.rows[?@.id == 1].name", ["n"]),
        ("$.memory.nothing", None),
        ("$.memory.secret", None),
        ("$.input.list", [7]),
    ],
)
def test_items_are_what_a_path_names(path: str, items: list[Any] | None) -> None:
    """C101."""
    rows = [
        {"id": 1, "name": "n", "tags": ["x", "y"], "mixed": 5},
        {"id": 2, "tags": ["z"], "mixed": ["never"]},
    ]
    memory = {"topics": ["a", "b"], "rows": rows, "secret": [1]}
    graph = mapped(fn("w", "item"), config={"items_path": path}, initial_memory=memory)
    done = run(graph, handlers={"item": item_of}, input={"list": [7]})

    if items is None:
        assert (done.code, done.activation("m")["attempts"]) == ("MapItemsInvalid", 1)
        assert '"List of items"' in done.report["error"]["message"]
        assert done.of("NodeStarted", "w") == []
    else:
        assert [output for _index, output in flat(done)] == items


def test_literal_items_win_and_one_of_both_is_needed() -> None:
    """C102."""
    memory = {"topics": [1, 2, 3, 4, 5]}
    both = mapped(
        fn("w", "item"), [1, 2], config={"items_path": "$.memory.topics"}, initial_memory=memory
    )
    neither = mapped(fn("w", "item"))

    assert run(both, handlers={"item": item_of}).memory["m_count"] == 2
    found = check(neither, handlers={"item": item_of})
    assert codes(found, "MissingField") == ["MissingField"]
    [missing] = [problem for problem in found.problems if problem["code"] == "MissingField"]
    assert missing["message"] == 'A map needs "List of items", or a list in "Fixed items".'
    bad = mapped(fn("w", "item"), config={"items_path": "$["})
    assert "ExpressionInvalid" in check(bad, handlers={"item": item_of}).codes


def test_no_items_are_no_error() -> None:
    """C102."""
    done = run(mapped(fn("w", "end"), []), END)

    assert (done.status, done.path) == ("completed", ["m"])
    assert done.memory == {"m_results": [], "m_errors": [], "m_count": 0, "m_error_count": 0}


def test_the_synthesizer_runs_next_where_no_edge_leads_on() -> None:
    """C103."""
    synth = node("s", "synthesizer", config={})
    config = {"synthesizer_node_id": "s"}
    plain = mapped(fn("w", "item"), [1, 2], nodes=[synth], config=config)
    drawn = mapped(fn("w", "item"), [1], ["__start__ -> m -> w"], nodes=[synth], config=config)
    other = mapped(
        fn("w", "item"), [1], ["__start__ -> m -> x"], nodes=[synth, fn("x", "end")], config=config
    )
    handlers: dict[str, Any] = {"item": item_of}
    done = run(plain, handlers=handlers)

    assert done.path[-2:] == ["m", "s"]
    assert done.memory["s_synthesis"] == [1, 2]
    assert run(drawn, handlers=handlers).path[-2:] == ["m", "s"]
    assert "SynthesizerNotReached" not in check(drawn, handlers=handlers).codes
    assert run(other, END, handlers=handlers).path[-2:] == ["m", "x"]
    found = check(other, END, handlers=handlers)
    assert (found.exit, "SynthesizerNotReached" in found.codes) == (0, True)


def test_errors_are_collected() -> None:
    """C104."""
    done = picked(["a", "bad", "b", "c"])

    assert (done.status, done.memory["m_count"], done.memory["m_error_count"]) == (
        "completed",
        3,
        1,
    )
    assert flat(done) == [(0, "a"), (2, "b"), (3, "c")]
    [error] = done.memory["m_errors"]
    assert (error["index"], error["node_id"]) == (1, "w")
    assert error["error"]["code"] == "HandlerFailed"
    assert "not this one" in error["error"]["message"]


def test_fail_fast_starts_nothing_new_and_names_the_item() -> None:
    """C104."""
    done = picked(["bad", *range(9)], error_strategy="fail_fast", max_concurrency=2)
    [failed] = [e["seq"] for e in done.of("NodeFailed", "w")]

    assert (done.status, done.code) == ("failed", "ChildFailed")
    assert (done.activation("m")["attempts"], done.exit) == (1, 1)
    assert "w[0]" in done.report["error"]["message"]
    assert "HandlerFailed" in done.report["error"]["message"]
    assert [e for e in done.of("NodeStarted", "w") if e["seq"] > failed] == []
    assert len(done.of("NodeStarted", "w")) < 10


def test_fail_fast_lets_running_items_settle() -> None:
    """C104."""
    script = {
        "default": [
            {"text": "slow", "delay_ms": 60},
            {"error": {"status": 400, "message": "no"}},
        ],
    }
    graph = mapped(
        agent("w"), [1, 2, 3], config={"error_strategy": "fail_fast", "max_concurrency": 2}
    )
    done = run(graph, script)

    assert done.code == "ChildFailed"
    assert done.activation("w[0]")["status"] == "completed"
    assert len(done.models) == 2


def test_a_failed_item_takes_the_maps_failure_edge() -> None:
    """C104, C32."""
    graph = doc(
        [
            mapping(["bad"], error_strategy="fail_fast"),
            fn("w", "picky", policy=ONE_TRY),
            fn("x", "end"),
        ],
        ["__start__ -> m", ("m", "x", {"on": "failed"})],
    )

    assert run(graph, END, handlers={"picky": picky}).path == ["w[0]", "m", "x"]


@pytest.mark.parametrize(("config", "most"), [({}, 5), ({"max_concurrency": 3}, 3)])
def test_so_many_items_run_at_a_time(config: dict[str, Any], most: int) -> None:
    """C105."""
    script = {"default": [{"text": "ok", "delay_ms": 10}], "repeat_last": True}
    done = run(mapped(agent("w"), list(range(12)), config=config), script)
    running = peak = 0
    for event in done.events:
        if event.get("node", "").startswith("w"):
            running += {"NodeStarted": 1, "NodeCompleted": -1}.get(event["type"], 0)
            peak = max(peak, running)

    assert done.memory["m_count"] == 12
    assert peak == most


def test_results_stand_in_the_order_of_the_items() -> None:
    """C106."""
    script = {"default": [{"text": t, "delay_ms": d} for t, d in (("a", 60), ("b", 30), ("c", 1))]}
    done = run(mapped(agent("w", "{{ memory.map_item }}"), ["x", "y", "z"]), script)

    assert done.path == ["w[2]", "w[1]", "w[0]", "m"]
    assert done.memory["m_results"] == [
        {"index": i, "node_id": "w", "output": text, "data": {}} for i, text in enumerate("abc")
    ]
    assert done.outputs["m"] == done.memory


def test_a_worker_sees_its_item() -> None:
    """C106, C19."""
    script = {"default": [{"echo": True}], "repeat_last": True}
    prompt = "{{ memory.map_item }}/{{ memory.map_index }}/{{ memory.map_total }}/{{ previous }}"
    worker = agent("w", prompt, reads=["previous"], config={"frame": "bare"})
    graph = mapped(worker, ["x", "y"])
    done = run(graph, script)

    assert sorted(done.prompt(i) for i in range(2)) == ["x/0/2/x", "y/1/2/y"]
    assert codes(check(graph, script), "UnreadableKey", "UnprovenReference") == []
    alone = doc([agent("w", "{{ memory.map_item }}")])
    assert "UnreadableKey" in check(alone, script).codes


def test_a_tool_worker_gets_the_item_as_arguments() -> None:
    """C106."""
    memory = {"map_item": "old", "a": 5}
    graph = mapped(tool("w", "add", reads=["a", "map_item"]), ["x"], initial_memory=memory)
    done = run(graph, {"tools": {"add": [{"echo": True}]}})
    expected = {"map_item": "x", "map_index": 0, "map_total": 1, "a": 5}

    assert flat(done) == [(0, expected)]
    assert done.memory["m_results"][0]["data"] == {"w_result": expected}


def test_more_than_max_items_start_nothing() -> None:
    """C107."""
    many = run(mapped(fn("w", "end"), list(range(1001))), END)
    few = run(mapped(fn("w", "end"), [1, 2, 3], config={"max_items": 2}), END)

    for done in (many, few):
        assert (done.code, done.path) == ("TooManyItems", ["m"])
        assert '"Most items"' in done.report["error"]["message"]
        assert (done.of("ChildrenRequested"), done.activation("m")["attempts"]) == ([], 1)
    assert run(mapped(fn("w", "end"), list(range(1000))), END).memory["m_count"] == 1000


def test_workers_write_nothing_into_memory() -> None:
    """C19."""

    async def writes(ctx: Any, params: Any) -> Any:
        return {"data": {"x": ctx.item}}

    done = run(mapped(fn("w", "writes"), [1, 2]), handlers={"writes": writes})

    assert "x" not in done.memory
    assert "w" not in done.outputs
    assert [r["data"] for r in done.memory["m_results"]] == [{"x": 1}, {"x": 2}]
    assert [r["output"] for r in done.memory["m_results"]] == [{"x": 1}, {"x": 2}]


def test_a_worker_still_needs_the_grant_for_what_it_writes() -> None:
    """C19, C5."""

    async def writes(ctx: Any, params: Any) -> Any:
        return {"data": {"x": 1}}

    done = run(mapped(fn("w", "writes", writes=[]), [1]), handlers={"writes": writes})

    assert done.memory["m_errors"][0]["error"]["code"] == "WriteNotAllowed"


def test_children_follow_no_edges() -> None:
    """C19, C74."""
    edges: list[Edge] = ["__start__ -> m -> w -> x", "m -> y"]
    graph = mapped(fn("w", "item"), [1], edges, nodes=[fn("x", "end"), fn("y", "end")])

    assert run(graph, END, handlers={"item": item_of}).path == ["w[0]", "m", "y"]


def test_a_disabled_worker_hands_its_item_on() -> None:
    """C19."""
    done = run(mapped({**fn("w", "end"), "disabled": True}, [1, 2]), END)

    assert flat(done) == [(0, 1), (1, 2)]
    assert "w" not in done.outputs


def test_a_map_inside_a_map() -> None:
    """C100, C106."""
    inner = mapping(id="w", worker_node_id="v", items_path="$.memory.map_item")
    graph = doc([mapping([[1, 2], [3]]), inner, fn("v", "item")], ["__start__ -> m"])
    done = run(graph, handlers={"item": item_of})
    nested = [r["output"]["w_results"] for r in done.memory["m_results"]]

    assert [[r["output"] for r in part] for part in nested] == [[1, 2], [3]]
    assert set(done.memory) == {"m_results", "m_errors", "m_count", "m_error_count"}


def test_questions_of_workers_wait_each_for_itself() -> None:
    """C78."""
    graph = mapped(question("w", "{{ memory.map_item }}?"), ["a", "b", "c"])
    waiting = run(graph)
    answers = [{"selected": f"answer {i}"} for i in range(3)]
    some = run(graph, decide={"w": answers[:2]})
    done = run(graph, decide={"w": answers})

    assert (waiting.status, waiting.exit) == ("waiting", 3)
    asked = [i["request"]["question"] for i in waiting.report["interrupts"]]
    assert asked == ["a?", "b?", "c?"]
    assert len(some.report["interrupts"]) == 1
    assert flat(done) == [(i, f"answer {i}") for i in range(3)]


def test_siblings_of_a_waiting_item_go_on() -> None:
    """C78."""

    async def asks(ctx: Any, params: Any) -> Any:
        if ctx.item == "ask":
            return {"output": await ctx.interrupt({"kind": "text", "question": "?"})}
        return {"output": ctx.item}

    graph = mapped(fn("w", "asks"), ["ask", 1, 2], config={"max_concurrency": 2})
    waiting = run(graph, handlers={"asks": asks})
    done = run(graph, handlers={"asks": asks}, decide={"w": [{"selected": "yes"}]})

    assert (waiting.status, waiting.path) == ("waiting", ["w[1]", "w[2]"])
    assert flat(done) == [(0, "yes"), (1, 1), (2, 2)]


@pytest.mark.parametrize("declared", [None, ["m_results", "m_errors", "m_count", "m_error_count"]])
def test_result_keys_of_a_map_need_no_declaration(declared: list[str] | None) -> None:
    """C8."""
    graph = mapped(fn("w", "item"), [1])
    if declared is not None:
        graph["nodes"][0]["write_keys"] = declared
    done = run(graph, handlers={"item": item_of})

    assert set(done.memory) == {"m_results", "m_errors", "m_count", "m_error_count"}
    assert "WriteKeyUnused" not in check(graph, handlers={"item": item_of}).codes


def test_a_maps_cap_covers_its_items() -> None:
    """C40."""
    reply = {"text": "ok", "usage": {"input_tokens": 10, "output_tokens": 0}}
    graph = mapped(agent("w"), [1, 2, 3], config={"max_concurrency": 1})
    graph["nodes"][0]["budget"] = {"max_tokens": 25}
    done = run(graph, {"default": [reply] * 3})

    assert (done.status, done.code, len(done.models)) == ("failed", "NodeBudgetExceeded", 2)
    assert done.report["spend"]["tokens"] == 20


def test_who_approves_an_item_is_shown_it() -> None:
    """C78, C106: Who approves an item is shown it: in the prompt and among the reviewed keys."""
    worker = approval(
        "w", prompt_message="Send {{ memory.map_item }}?", review_keys=["map_item", "draft"]
    )
    graph = mapped(worker, ["a", "b"])
    waiting = run(graph, memory={"draft": "d", "other": 1})
    done = run(graph, decide={"w": [{"decision": "approved"}, {"decision": "rejected"}]})

    shown = [item["request"] for item in waiting.report["interrupts"]]
    assert [request["prompt"] for request in shown] == ["Send a?", "Send b?"]
    assert [request["data"] for request in shown] == [
        {"map_item": "a", "draft": "d"},
        {"map_item": "b", "draft": "d"},
    ]
    assert (done.exit, done.memory["m_count"], done.memory["m_error_count"]) == (0, 1, 1)
