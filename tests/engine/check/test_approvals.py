"""Approvals that nobody may decide, given the people of the workspace."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.state.requests import Actor
from tests.engine.check.graphs import line, node, problems

OLGA = Actor("1", "Olga", login="olga@example.com", roles=frozenset({"admin"}))
BOB = Actor(
    "2", "Bob", login="bob@example.com", roles=frozenset({"reviewer"}), groups=frozenset({"legal"})
)
CARA = Actor("4", "Cara", login="cara@example.com", roles=frozenset({"reviewer"}))
ALICE = Actor("3", "Alice", login="alice@example.com", roles=frozenset({"author"}))


def found(policy: dict[str, Any] | None, *members: Actor) -> list[tuple[str, str]]:
    """Return place and message of the approvals that nobody may decide."""
    config = {} if policy is None else {"policy": policy}
    document = line(node("ok", "approval", config=config))
    return [
        (p.path, p.message)
        for p in problems(document, members=members)
        if p.code == "NobodyMayDecide"
    ]


@pytest.mark.parametrize(
    ("policy", "members"),
    [
        (None, (BOB,)),
        (None, (OLGA,)),
        ({"eligible": ["group:legal"]}, (OLGA, BOB)),
        ({"eligible": ["user:Bob@example.com"]}, (BOB,)),
        ({"eligible": ["user:nobody", "role:admin"]}, (OLGA,)),
        ({"eligible": ["=memory.boss"]}, (ALICE,)),
        ({"eligible": ["role:reviewer"], "four_eyes": ["starter"]}, (BOB, CARA)),
    ],
)
def test_somebody_may_decide(policy, members):
    """C192: Somebody of the workspace may decide, or it is computed while running."""
    assert found(policy, *members) == []


@pytest.mark.parametrize(
    ("policy", "members", "said"),
    [
        (None, (ALICE,), "Nobody is eligible"),
        ({"eligible": ["group:finance"]}, (OLGA, BOB), "Nobody is eligible"),
        ({"eligible": ["user:gone@example.com"]}, (OLGA,), "Nobody is eligible"),
        (
            {"eligible": ["role:reviewer"], "four_eyes": ["starter"]},
            (OLGA, BOB),
            "Only Bob may decide",
        ),
        (
            {"eligible": ["role:admin"], "rule": {"at_least": 2}},
            (OLGA, BOB),
            "2 people must approve, and only Olga",
        ),
    ],
)
def test_nobody_may_decide(policy, members, said):
    """C192: An approval that nobody of the workspace may decide is a problem."""
    [(path, message)] = found(policy, *members)

    assert path.startswith("nodes[0].config.policy")
    assert said in message


def test_people_that_are_not_known_are_no_problem():
    """C192: In a script nobody knows who will be there."""
    document = line(node("ok", "approval", config={"policy": {"eligible": ["group:x"]}}))

    assert "NobodyMayDecide" not in {p.code for p in problems(document)}
