"""What an approval tells the inbox beside what it asks."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import approval, doc, fn, run

MEMORY = {"amount": 2087.7}
KNOWN = {"functions": {"ok": {"returns": 1}}}


def asked(**config: Any) -> dict[str, Any]:
    nodes = [approval("review", **config), fn("ok")]
    found = run(doc(nodes, initial_memory=MEMORY), KNOWN).report["interrupts"]
    return dict(found[0]["request"])


@pytest.mark.parametrize(
    ("risk", "told"),
    [
        ("memory.amount > 1000.0 ? 80 : 10", 80.0),
        ("memory.amount * 2.0", 100.0),
        ("memory.nothing", 100.0),
        ("'high'", 100.0),
        ("-5", 0.0),
    ],
)
def test_the_risk_is_what_its_expression_says_else_the_highest(risk: str, told: float) -> None:
    assert asked(risk=risk)["risk"] == told


def test_reasons_and_what_makes_alike_are_told_where_the_workflow_says_them() -> None:
    plain, said = asked(), asked(reasons=["Too dear"], alike_by=["customer"])

    assert not plain.keys() & {"risk", "reasons", "alike_by"}
    assert (said["reasons"], said["alike_by"]) == (["Too dear"], ["customer"])
    assert "confirm" not in plain["policy"]
    assert asked(policy={"confirm": "type"})["policy"]["confirm"] == "type"


def test_a_risk_that_changes_meanwhile_leaves_the_approval_as_it_is() -> None:
    """The node's code runs again once it is decided: its request is the same request."""
    config = {"risk": "memory.amount"}
    nodes = [approval("review", editable_keys=["amount"], **config), fn("ok")]
    decide = {"review": [{"decision": "approved", "edits": {"amount": 1}}]}

    done = run(doc(nodes, initial_memory=MEMORY), KNOWN, decide)

    assert done.status == "completed"
