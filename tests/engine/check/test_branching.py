"""What is proven about nodes that take all that fit, and about choices that leave nothing out."""

from __future__ import annotations

from typing import Any

import pytest

from engine.check import examine
from tests.engine.check.graphs import codes, edge, line, node, problems, spec, world
from tests.engine.check.test_dangers import POST, VERIFIER

SENIOR, JUNIOR = "memory.level == 'senior'", "memory.level == 'junior'"


def choosing(*wires: dict[str, Any], branching: str = "all", **more: object) -> dict[str, Any]:
    """Return a graph in which `a` writes a level and leads to b, c, … by the given wires."""
    names = "bcdef"[: len(wires)]
    first = node("a", write_keys=["level"], branching=branching)
    document = line(first, **more)
    document["nodes"] += [node(name, write_keys=["found"], label=name.upper()) for name in names]
    document["edges"] += [edge("a", name, **w) for name, w in zip(names, wires, strict=True)]
    return document


def one(document: dict[str, Any], code: str):
    return next(problem for problem in problems(document) if problem.code == code)


def test_all_that_fit_are_never_in_vain():
    alike = [{"condition": SENIOR}, {"condition": SENIOR}, {}, {}]

    assert "EdgeNeverTaken" in codes(choosing(*alike, branching="first"))
    assert "EdgeNeverTaken" not in codes(choosing(*alike))


def test_a_second_wire_alike_is_cured_by_taking_all_that_fit():
    wires = [{"condition": SENIOR}, {"condition": SENIOR}, {"condition": JUNIOR}]
    many = {"condition": "size(memory.level) > 2"}
    problem = one(choosing(*wires, many, {}, branching="first"), "EdgeNeverTaken")

    assert problem.say == (
        "Only one of B and C is taken. If all that fit are taken, E may start with them."
    )
    [cure] = problem.fixes
    assert cure.label == "Take all that fit"
    assert [e.to_json() for e in cure.edits] == [
        {"op": "set", "part": "node", "id": "a", "path": ["branching"], "value": "all"}
    ]


def test_a_second_otherwise_is_cured_by_taking_all_that_fit():
    problem = one(choosing({"condition": SENIOR}, {}, {}, branching="first"), "EdgeNeverTaken")

    assert problem.say == "Only one of C and D is taken."
    assert problem.fixes[0].edits[0].value == "all"


@pytest.mark.parametrize(
    ("wires", "collide"),
    [
        ([{"condition": SENIOR}, {"condition": SENIOR}, {}], True),
        ([{"condition": SENIOR}, {"condition": JUNIOR}, {}], False),
        ([{"condition": SENIOR}, {"condition": "size(memory.level) > 2"}, {}], True),
        ([{"condition": SENIOR}, {}, {}], True),
        ([{"when": "x"}, {"when": "y"}, {}], False),
        ([{"on": "failed", "when": "x"}, {"on": "failed", "when": "x"}], True),
    ],
)
def test_all_that_fit_may_write_the_same_unless_they_exclude_each_other(wires, collide):
    assert ("ParallelWrites" in codes(choosing(*wires))) is collide
    assert "ParallelWrites" not in codes(choosing(*wires, branching="first"))


def test_no_else_is_missed_where_each_value_has_its_wire():
    wires = [{"condition": SENIOR}, {"condition": JUNIOR}]
    levels = {"level": {"type": "string", "enum": ["senior", "junior"]}}
    more = {"level": {"type": "string", "enum": ["senior", "junior", "none"]}}

    def schema(fields: dict[str, Any]) -> dict[str, Any]:
        return {"type": "object", "properties": fields}

    assert "NoElseEdge" in codes(choosing(*wires))
    assert "NoElseEdge" not in codes(choosing(*wires, state_schema=schema(levels)))
    assert "NoElseEdge" in codes(choosing(*wires, state_schema=schema(more)))
    both = [{"condition": "memory.level in ['senior', 'none']"}, wires[1]]
    assert "NoElseEdge" not in codes(choosing(*both, state_schema=schema(more)))
    narrow = [{"condition": f"{SENIOR} && size(goal) > 1"}, wires[1]]
    assert "NoElseEdge" in codes(choosing(*narrow, state_schema=schema(levels)))


def test_an_else_is_missed_where_the_field_may_be_absent():
    schema = {"type": "object", "properties": {"level": {"enum": ["senior", "junior"]}}}
    document = choosing({"condition": SENIOR}, {"condition": JUNIOR}, state_schema=schema)
    document["nodes"][0]["write_keys"] = []

    assert "NoElseEdge" in codes(document)
    document["initial_memory"] = {"level": "senior"}
    assert "NoElseEdge" not in codes(document)


@pytest.mark.parametrize("required", [True, False])
def test_a_field_of_the_start_is_there_where_it_must_be_given(required):
    field = {"properties": {"ok": {"type": "boolean"}}, "required": ["ok"] if required else []}
    wires = [{"condition": "input.ok == true"}, {"condition": "input.ok == false"}]
    document = choosing(*wires, interface={"inputs": {"type": "object", **field}})

    assert ("NoElseEdge" in codes(document)) is not required


def test_an_else_is_added_by_a_cure():
    problem = one(choosing({"condition": SENIOR}, {"condition": JUNIOR}), "NoElseEdge")

    assert [cure.label for cure in problem.fixes] == ["Otherwise end here", "Otherwise to C"]
    assert [cure.edits[0].value["target"] for cure in problem.fixes] == ["__end__", "c"]


@pytest.mark.parametrize(
    ("wires", "branching", "warned"),
    [
        ([{"condition": SENIOR}, {"condition": SENIOR}], "all", True),
        ([{"condition": SENIOR}, {"condition": JUNIOR}], "all", False),
        ([{"condition": SENIOR}, {"condition": "goal == ''"}], "first", False),
        ([{"condition": SENIOR}, {}], "all", False),
    ],
)
def test_a_loop_that_goes_round_and_on_at_once(wires, branching, warned):
    document = choosing(*wires, branching=branching)
    document["edges"] += [edge("b", "a")]

    assert ("LoopForks" in codes(document)) is warned


def test_a_loop_that_forks_is_cured_by_taking_the_first():
    document = choosing({"condition": SENIOR}, {"condition": SENIOR})
    document["edges"] += [edge("b", "a")]

    problem = one(document, "LoopForks")

    assert problem.say == "a may go round again and on to C at the same time."
    [cure] = problem.fixes
    assert [e.to_json() for e in cure.edits] == [
        {"op": "set", "part": "node", "id": "a", "path": ["branching"], "value": None}
    ]


def unguarded(branching: str, *wires: dict[str, Any]) -> bool:
    """Return whether `post` can be reached although the verdict was negative."""
    nodes = [node("v", "verifier", config=VERIFIER, branching=branching), node("no"), POST]
    edges = [edge("v", wire.pop("target", "post"), **wire) for wire in map(dict, wires)]
    [danger] = examine(spec({"nodes": nodes, "edges": edges}), world()).dangers
    return danger.way is not None


def test_a_condition_that_may_hold_beside_the_way_for_failures_is_open():
    """Under `first` the way for failures is taken alone; where all are taken, others may be too."""
    no = {"target": "no", "condition": "!memory.v_verification_passed"}
    maybe = {"condition": "size(goal) > 1"}

    assert unguarded("all", no, maybe)
    assert not unguarded("first", no, maybe)
    assert not unguarded("all", no, {"condition": "memory.v_verification_passed"})


def test_otherwise_is_guarded_where_a_way_for_failures_surely_holds():
    assert not unguarded("all", {"target": "no", "condition": "!memory.v_verification_passed"}, {})
    assert unguarded("all", {"target": "no", "condition": "size(goal) > 1"}, {})


def test_wires_that_ask_for_the_same_start_together():
    """What a join behind them reads of either is there: one cannot be taken without the other."""
    both = [{"condition": SENIOR}, {"condition": SENIOR}]
    document = choosing(*both, {"condition": JUNIOR})
    document["nodes"][-3]["write_keys"] = ["salary"]
    letter = {"value": "memory.salary + memory.found"}
    document["nodes"].append(node("z", "output", read_keys=["salary", "found"], config=letter))
    document["edges"] += [edge("b", "z"), edge("c", "z"), edge("d", "__end__")]

    def unproven(changed: dict[str, Any]) -> bool:
        return "UnprovenReference" in codes(changed)

    assert not unproven(document)
    assert unproven({**document, "edges": [*document["edges"], edge("d", "z")]})
    first = {**document["nodes"][0], "branching": "first"}
    assert unproven({**document, "nodes": [first, *document["nodes"][1:]]})
    other = [
        {**one, "condition": JUNIOR} if one.get("target") == "c" else one
        for one in document["edges"]
    ]
    assert unproven({**document, "edges": other})
    again = [*document["edges"], edge("z", "a")]
    assert unproven({**document, "edges": again})
