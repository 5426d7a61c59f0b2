"""The dangerous steps of a graph and the unguarded ways to them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.check import Way, examine
from engine.core.effects import EffectClass
from engine.core.graph.document import AgentSpec, parse_document
from engine.core.graph.problems import Problem
from engine.integrations.tools.protocol import ToolSpec
from tests.engine.check.graphs import edge, line, node, spec, world

POST = node("post", "http_request", config={"method": "POST"})
PUT = node("put", "http_request", config={"method": "POST", "effect_class": "keyed"})
VERIFIER = {"type": "expression", "expression": "1 < 2"}


def dangers(document: dict[str, Any], **given: Any) -> dict[str, Any]:
    """Return kind and way of each danger by node."""
    report = examine(spec(document), world(**given))
    return {danger.node: (danger.kind, danger.way) for danger in report.dangers}


def unguarded(document: dict[str, Any], **given: Any) -> list[Problem]:
    """Return the problems of unguarded steps."""
    found = examine(spec(document), world(**given)).problems
    return [problem for problem in found if problem.code == "UnguardedEffect"]


def test_a_danger_names_the_way_to_it():
    """C192: A danger names the nodes and the edges of a way that passes no approval."""
    document = line(node("r", "router"), node("ok", "approval"), POST)
    document["edges"] += [edge("r", "post", when="x", id="short")]

    way = Way(("r", "post"), ("__start__->r", "short"))
    assert dangers(document) == {"post": ("unsafe", way)}


def test_a_guarded_danger_is_listed_without_a_way():
    """C192: Every dangerous step is listed; a guarded one has no unguarded way."""
    assert dangers(line(node("ok", "approval"), POST)) == {"post": ("unsafe", None)}


def test_the_way_to_a_step_that_a_config_leads_to():
    """C192: A step that a composite runs has no edge of its own."""
    mapper = node("m", "map", config={"worker_node_id": "post", "static_items": [1]})
    document = {"nodes": [mapper, POST], "edges": [edge("__start__", "m", id="in")]}

    assert dangers(document) == {"post": ("unsafe", Way(("m", "post"), ("in",)))}


def test_a_keyed_step_is_dangerous_but_no_problem_without_the_gate():
    """C192: A keyed step is in the proof; only the gate makes a problem of it."""
    assert dangers(line(PUT))["put"][0] == "keyed"
    assert unguarded(line(PUT)) == []
    assert [p.severity for p in unguarded(line(PUT), require_approval=True)] == ["error"]


def test_what_stays_inside_is_no_danger():
    """C192: Facts that a node remembers are keyed, yet nothing outside changes."""
    reflect = node("r", "reflection", config={"source_keys": ["notes"]}, read_keys=["notes"])
    config = {**reflect["config"], "extractor": {"type": "rule_based"}, "tags": ["lesson"]}

    assert dangers(line({**reflect, "config": config})) == {}


def test_a_node_is_marked_by_its_metadata():
    """C192: `metadata.dangerous: true` marks a node of any type."""
    marked = node("a", metadata={"dangerous": True})

    assert dangers(line(marked))["a"][0] == "marked"
    assert [problem.node for problem in unguarded(line(marked))] == ["a"]
    assert unguarded(line(node("ok", "approval"), marked)) == []
    assert unguarded(line(node("a", metadata={"dangerous": False}))) == []


def test_the_gate_makes_unguarded_dangers_errors():
    """C192: Where approvals are required, an unguarded step blocks; otherwise it warns."""
    assert [p.severity for p in unguarded(line(POST))] == ["warning"]
    assert [p.severity for p in unguarded(line(POST), require_approval=True)] == ["error"]
    assert unguarded(line(node("ok", "approval"), POST), require_approval=True) == []


@pytest.mark.parametrize(
    ("fields", "guarded"),
    [
        ({"condition": "memory.v_verification_passed"}, True),
        ({"condition": "memory.v_verification.passed == true"}, True),
        ({"condition": "result.output.passed"}, True),
        ({"condition": "memory.v_verification_passed && memory.amount < 10"}, True),
        ({"when": "pass"}, True),
        ({"when": "fail"}, False),
        ({"condition": "!memory.v_verification_passed"}, False),
        ({"condition": "memory.v_verification_passed || memory.amount < 10"}, False),
        ({"condition": "memory.v_verification_passed || has(memory.vip)"}, False),
        ({"condition": "memory.amount < 10"}, False),
        ({"condition": "not an expression"}, False),
        ({}, False),
        ({"on": "failed"}, False),
    ],
)
def test_a_verifier_guards_the_ways_that_need_its_pass(fields, guarded):
    """C192: An edge guards if it cannot be taken after a negative verdict."""
    document = {
        "nodes": [node("v", "verifier", config=VERIFIER), POST],
        "edges": [edge("v", "post", **fields)],
    }

    assert (unguarded(document) == []) is guarded


def test_the_else_behind_a_way_for_failures_is_guarded():
    """C192: The else is taken only when no condition before it holds."""
    document = {
        "nodes": [node("v", "verifier", config=VERIFIER), node("no"), POST],
        "edges": [edge("v", "no", condition="!memory.v_verification_passed"), edge("v", "post")],
    }

    assert unguarded(document) == []


def test_a_verifier_that_fails_guards_all_that_follows():
    """C192: With `throw_on_fail` only its failure edges are open."""
    throwing = node("v", "verifier", config={**VERIFIER, "throw_on_fail": True})
    document = line(throwing, POST)

    assert unguarded(document) == []

    document["edges"] += [edge("v", "post", on="failed")]
    assert len(unguarded(document)) == 1


def test_a_disabled_verifier_guards_nothing():
    """C192: A disabled verifier lets everything pass."""
    throwing = node("v", "verifier", config={**VERIFIER, "throw_on_fail": True}, disabled=True)

    assert len(unguarded(line(throwing, POST))) == 1


@pytest.mark.parametrize("guarded", [True, False])
def test_the_danger_inside_another_graph(guarded):
    """C192: A graph that is run as a step is as dangerous as what is unguarded in it."""
    nodes = (node("ok", "approval"), POST) if guarded else (POST,)
    inner, _ = parse_document({"id": "inner", **line(*nodes)})
    document = line(node("sub", "subgraph", config={"subgraph_id": "inner"}))

    assert (unguarded(document, graphs={"inner": inner}) == []) is guarded


def test_graphs_that_run_each_other_end_the_search():
    """C192: A circle of graphs is not walked twice."""
    inner, _ = parse_document(
        {"id": "inner", **line(node("s", "subgraph", config={"subgraph_id": "g"}))}
    )
    outer, _ = parse_document(
        {"id": "g", **line(node("s", "subgraph", config={"subgraph_id": "inner"}), POST)}
    )
    assert outer is not None

    found = examine(outer, world(graphs={"inner": inner, "g": outer})).dangers

    assert [danger.node for danger in found] == ["post"]


@pytest.mark.parametrize(
    ("effect", "kind"),
    [("unsafe", "unsafe"), ("keyed", "keyed"), ("probe", "keyed"), ("read", None), ("pure", None)],
)
@pytest.mark.parametrize("by", ["tool", "agent"])
def test_a_tool_is_as_dangerous_as_its_effect(by: str, effect: str, kind: str | None):
    """C192: Called by a node or offered to an agent, a tool that has an effect is in the proof."""
    tool = ToolSpec("act", "Act.", {}, EffectClass(effect), "x")
    helper = AgentSpec(id="helper", tools=("act",))
    it = node("it", "tool", config={"tool_id": "act"}) if by == "tool" else node("it", "agent")
    found = dangers(line(it), tools={"act": tool}, agents={"helper": helper})

    assert {name: danger[0] for name, danger in found.items()} == (
        {} if kind is None else {"it": kind}
    )


@pytest.mark.parametrize("on", ["rejected", "timed_out", "failed"])
def test_every_other_way_out_of_an_approval_is_unguarded(on: str):
    """C192: Who rejects has not approved what stands behind the rejection."""
    document = line(node("ok", "approval"), node("end", "output"))
    document["nodes"].append(POST)
    document["edges"].append(edge("ok", "post", on=on, id="other"))

    assert dangers(document) == {
        "post": ("unsafe", Way(("ok", "post"), ("__start__->ok", "other")))
    }
