"""Approvals that cannot be given by the people there are."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.state.requests import Actor
from tests.engine.check.graphs import found, line, node, problems

ANN = Actor("a", "Ann", roles=frozenset({"reviewer"}), groups=frozenset({"legal"}))
BOB = Actor("b", "Bob", roles=frozenset({"admin"}), groups=frozenset({"legal", "finance"}))
EVE = Actor("e", "Eve", roles=frozenset({"author"}))
TWO = {"at_least": 2}


def policy(**fields: Any) -> dict[str, Any]:
    return line(node("a", "approval", config={"policy": fields}))


@pytest.mark.parametrize(
    "fields",
    [
        {"eligible": ["user:zoe"]},
        {"eligible": ["group:sales"]},
        {"eligible": ["user:a"], "rule": TWO},
        {"eligible": ["user:a", "user:a"], "rule": TWO},
        {"eligible": ["group:legal", "group:finance", "role:admin"], "rule": "per_group"},
        {"eligible": ["group:legal", "group:sales"], "rule": "per_group"},
        {"eligible": ["group:sales"], "rule": "all"},
    ],
)
def test_too_few_people_of_the_workspace_are_eligible(fields: dict[str, Any]) -> None:
    """C192: A policy that the members of the workspace cannot satisfy is found while drawing."""
    codes = found(policy(**fields), members=[ANN, BOB, EVE])

    assert codes == {("NobodyMayDecide", "nodes[0].config.policy.eligible")}


@pytest.mark.parametrize(
    "fields",
    [
        {"rule": TWO},
        {"rule": "all"},
        {"eligible": ["group:legal"], "rule": TWO},
        {"eligible": ["group:legal", "group:finance"], "rule": "per_group"},
        {"eligible": ["=memory.people"], "rule": {"at_least": 9}},
        {"eligible": ["user:a"], "rule": TWO, "escalation": {"after_ms": 5, "to": "role:admin"}},
    ],
)
def test_enough_people_are_eligible(fields: dict[str, Any]) -> None:
    """C192: What can be satisfied, or cannot be known, is no problem."""
    assert ("NobodyMayDecide", "nodes[0].config.policy.eligible") not in found(
        policy(**fields), members=[ANN, BOB, EVE]
    )


def test_the_message_says_who_there_is() -> None:
    """C192: An author reads how many are needed and who may."""
    [problem] = [
        p
        for p in problems(policy(rule={"at_least": 3}), members=[ANN, BOB, EVE])
        if p.code == "NobodyMayDecide"
    ]

    assert problem.path == "nodes[0].config.policy.rule"
    assert problem.message.startswith("3 people must approve, and only Ann, Bob may")


def test_without_a_workspace_only_named_people_are_counted() -> None:
    """C192: A document alone tells of `user:` entries, not of groups."""
    assert not found(policy(rule=TWO))
    assert not found(policy(eligible=["group:x"], rule=TWO))
    assert found(policy(eligible=["user:a"], rule=TWO))
