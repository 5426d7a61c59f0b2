"""A start field that is read as memory, which a run that a person starts does not have."""

from __future__ import annotations

from typing import Any

import pytest

from engine.check.world import StaticWorld
from engine.core.graph.problems import Problem
from tests.contract.harness import run
from tests.engine.check.graphs import edge, found, line, node, problems, spec
from tests.engine.check.mending import mended

FACE = {"inputs": {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}}
CALLER = line(
    node("s", "subgraph", config={"subgraph_id": "g", "input_mapping": {"t": "x"}}),
    initial_memory={"t": "hi"},
)
SAID = "Start gives this as input.x; memory.x is there only where another workflow calls this one."


def reading(
    type_: str = "output", /, keys: list[str] | None = None, **config: Any
) -> dict[str, Any]:
    """Return a workflow with the start field `x` and one node that reads something."""
    reads = ["x"] if keys is None else keys
    return line(node("a", type_, read_keys=reads, config=config), interface=FACE)


def told(document: dict[str, Any], **given: Any) -> list[Problem]:
    """Return what is wrong, without advice."""
    return [p for p in problems(document, **given) if p.severity != "hint"]


@pytest.mark.parametrize(
    ("document", "path", "mends"),
    [
        (reading(value="memory.x"), "config.value", "input.x"),
        (reading(value="memory['x'] + '!'"), "config.value", "input.x + '!'"),
        (reading("agent", prompt="Read {{ memory.x }}."), "config.prompt", "Read {{ input.x }}."),
        (
            reading("map", worker_node_id="w", items_path="$.memory.x"),
            "config.items_path",
            "$.input.x",
        ),
        (reading("approval", review_keys=["x"]), "config.review_keys[0]", ["input.x"]),
    ],
)
def test_it_is_told_where_it_stands_and_one_press_mends_it(document, path, mends):
    document = {**document, "nodes": [*document["nodes"], node("w")]}
    [problem] = [p for p in told(document) if p.code == "UnwrittenKey"]
    cure = problem.fixes[0]
    after = mended(document, cure)

    assert (problem.path, problem.severity, problem.say) == (f"nodes[0].{path}", "warning", SAID)
    assert cure.label == "Use input.x"
    assert after["nodes"][0]["config"][path.removeprefix("config.").partition("[")[0]] == mends
    assert after["nodes"][0]["read_keys"] == ["input.x"]
    assert not [p for p in told(after) if p.code in {"UnwrittenKey", "UnreadableKey"}]


def test_a_node_that_may_not_read_it_yet_is_not_led_to_a_read_key_of_nothing():
    document = reading(keys=[], value="memory.x")
    [problem] = told(document)
    after = mended(document, problem.fixes[0])

    assert (problem.code, problem.say, problem.fix) == ("UnreadableKey", SAID, None)
    assert [cure.label for cure in problem.fixes] == ["Use input.x"]
    assert (after["nodes"][0]["read_keys"], told(after)) == (["input.x"], [])


def test_a_wire_that_asks_for_it():
    document = line(node("a"), node("b"), interface=FACE)
    document["edges"][1] |= {"id": "w", "condition": "memory.x == 'y'"}
    document["edges"] += [edge("a", "__end__", id="e")]
    [problem] = told(document)
    after = mended(document, problem.fixes[0])

    assert (problem.code, problem.path, problem.say) == (
        "UnwrittenKey",
        "edges[1].condition",
        SAID,
    )
    assert (after["edges"][1]["condition"], told(after)) == ("input.x == 'y'", [])


@pytest.mark.parametrize(
    "document",
    [
        reading(value="has(memory.x) ? memory.x : input.?x.orValue('')", keys=["x", "input"]),
        {**reading(value="memory.x"), "initial_memory": {"x": "-"}},
        reading("function"),
        reading(value="input.x", keys=["input.x"]),
    ],
)
def test_what_holds_in_every_run_is_not_told(document):
    """A read key alone reads nothing: it lets a child see what is mapped into it."""
    assert told(document) == []


def test_a_required_start_field_is_no_memory_before_a_node_writes_it():
    document = line(
        node("a", "output", read_keys=["x"], config={"value": "memory.x"}),
        node("b", write_keys=["x"]),
        interface=FACE,
    )

    assert found(document) == {("UnprovenReference", "nodes[0].config.value")}
    assert found(document, graphs={"caller": spec({**CALLER, "id": "caller"})}) == set()


def test_a_workflow_that_another_one_calls_has_its_start_in_memory():
    document = reading(value="memory.x")
    caller = spec({**CALLER, "id": "caller"})
    itself = spec({**CALLER, "id": "g"})

    assert told(document, graphs={"caller": caller, "g": spec(document)}) == []
    assert [p.code for p in told(document, graphs={"g": itself})] == ["UnwrittenKey"]
    assert StaticWorld(called=lambda name: name == "g").is_called("g")


def test_the_mended_workflow_runs_and_the_child_ran_all_along():
    document = {"graphwright": 1, "id": "g", **reading(value="memory.x")}
    caller = {"graphwright": 1, **CALLER, "id": "caller"}
    [problem] = told(document)
    after = mended(document, problem.fixes[0])
    failed = run(document, input={"x": "hello"})
    done = run(after, input={"x": "hello"})

    assert (failed.exit, failed.code) == (1, "MissingReference")
    assert (done.exit, done.report["result"]) == (0, "hello")
    for child in (document, after):
        called = run(caller, graphs=[child])
        assert (called.exit, called.report["result"]) == (0, "hi")


def test_a_key_that_nothing_writes_becomes_a_start_field_that_is_read_as_one():
    """The read key, the text that names it, and what is asked for at the start."""
    document = {"graphwright": 1, "id": "g", **reading(value="memory.y", keys=["y"])}
    del document["interface"]
    problem = next(p for p in told(document) if p.code == "UnwrittenKey")
    cure = next(c for c in problem.fixes if c.label == "Add start field y")
    after = mended(document, cure)
    done = run(after, input={"y": "hello"})

    assert after["nodes"][0]["config"]["value"] == "input.y"
    assert after["nodes"][0]["read_keys"] == ["input.y"]
    assert told(after) == []
    assert (done.exit, done.report["result"]) == (0, "hello")


def test_a_mistyped_start_field_is_called_as_the_start_has_it():
    document = reading(value="memory.xx", keys=["xx"])
    problem = next(p for p in told(document) if p.code == "UnwrittenKey")
    after = mended(document, problem.fixes[0])

    assert problem.fixes[0].label == "Use input.x"
    assert (after["nodes"][0]["config"]["value"], told(after)) == ("input.x", [])


def test_a_mapping_cannot_name_the_start_so_that_no_button_says_so():
    graphs = {"other": spec({"nodes": [node("a")], "id": "other"})}
    config = {"subgraph_id": "other", "input_mapping": {"topic": "t"}}
    [problem] = told(line(node("s", "subgraph", config=config)), graphs=graphs)

    assert problem.path == "nodes[0].config.input_mapping.topic"
    assert not [c for c in problem.fixes if c.label.startswith("Add start field")]
