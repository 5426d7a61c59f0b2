"""Dangerous steps, approvals and undos."""

from __future__ import annotations

import pytest

from tests.engine.check.graphs import codes, edge, found, line, node

POST = node("post", "http_request", config={"method": "POST"})


def test_an_unsafe_step_without_approval():
    """C192."""
    assert found(line(POST)) == {("UnguardedEffect", "nodes[0]")}


def test_an_approval_before_it_is_enough():
    """C192."""
    assert codes(line(node("ok", "approval"), POST)) == set()


def test_a_way_beside_the_approval():
    """C192."""
    router = node("r", "router", config={"expression": "goal"})
    document = line(router, node("ok", "approval"), POST)
    document["edges"] += [edge("r", "post", when="x")]

    assert codes(document) == {"UnguardedEffect"}


@pytest.mark.parametrize("on", ["rejected", "timed_out", "failed"])
def test_the_ways_of_a_refusal_are_no_approval(on):
    """C192."""
    document = {"nodes": [node("ok", "approval"), POST], "edges": [edge("ok", "post", on=on)]}

    assert codes(document) == {"UnguardedEffect"}


def test_the_rejection_node_is_no_approval():
    """C192."""
    gate = node("ok", "approval", config={"rejection_node_id": "post"})

    assert codes({"nodes": [gate, POST]}) == {"UnguardedEffect"}


def test_a_disabled_approval_guards_nothing():
    """C192."""
    assert codes(line(node("ok", "approval", disabled=True), POST)) == {"UnguardedEffect"}


def test_a_disabled_step_does_nothing():
    """C192."""
    assert codes(line({**POST, "disabled": True})) == set()


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (node("a", "tool", config={"tool_id": "send"}), {"UnguardedEffect"}),
        (node("a", "tool", config={"tool_id": "search"}), set()),
        (node("a", "agent", config={"tools": ["send"]}), {"UnguardedEffect"}),
        (node("a", "agent", config={"tools": ["search"]}), set()),
        (node("a", "http_request", config={"method": "POST", "effect_class": "keyed"}), set()),
        (node("a", "http_request"), set()),
    ],
)
def test_what_counts_as_unsafe(item, expected):
    """C192."""
    assert codes(line(item)) == expected


@pytest.mark.parametrize(
    "policy",
    [{"eligible": []}, {"eligible": ["user:a", "user:b"], "rule": {"at_least": 3}}],
)
def test_an_approval_that_nobody_may_decide(policy):
    """C192."""
    problems = found(line(node("a", "approval", config={"policy": policy})))

    assert ("NobodyMayDecide", "nodes[0].config.policy.eligible") in problems


@pytest.mark.parametrize(
    "policy",
    [{}, {"eligible": ["user:a"]}, {"eligible": ["group:a"], "rule": {"at_least": 1}}],
)
def test_an_approval_that_somebody_may_decide(policy):
    """C192."""
    assert codes(line(node("a", "approval", config={"policy": policy}))) == set()


def test_a_node_without_undo():
    """C50."""
    plain = node("a", "tool", requires_compensation=True)
    undone = node(
        "a", "tool", requires_compensation=True, config={"compensation": {"tool_id": "search"}}
    )

    assert found(line(plain)) == {("CompensationMissing", "nodes[0].requires_compensation")}
    assert codes(line(node("a", "delay", requires_compensation=True))) == {"CompensationMissing"}
    assert codes(line(undone)) == set()
