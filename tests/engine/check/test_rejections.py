"""What is certain after a rejection: the approval has left no result."""

from __future__ import annotations

import pytest

from tests.engine.check.graphs import codes, edge, node


@pytest.mark.parametrize(("on", "unproven"), [("completed", False), ("rejected", True)])
def test_a_rejection_leaves_no_result(on: str, unproven: bool) -> None:
    """C95."""
    reads = {"read_keys": ["ask_result"], "config": {"value": "memory.ask_result.comment"}}
    found = codes(
        {
            "nodes": [node("ask", "approval"), node("after", "output", **reads)],
            "edges": [edge("__start__", "ask"), edge("ask", "after", on=on)],
        }
    )

    assert ("UnprovenReference" in found) is unproven
