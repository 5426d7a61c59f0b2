"""The most that a run can spend, as the editor is told."""

from __future__ import annotations

from builder.models import Graph
from tests.builder.conftest import DOCUMENT, Api


def test_a_graph_says_the_most_a_run_can_spend(alice: Api, graph: Graph) -> None:
    """C43."""
    unbounded = alice.get(f"graphs/{graph.pk}/").json()["worst_case"]
    capped = {**DOCUMENT, "limits": {"budget_usd": "0.50", "max_token_budget": 900}}
    checked = alice.post(f"graphs/{graph.pk}/check/", {"document": capped}).json()["worst_case"]
    why = checked.pop("why")

    assert (unbounded["usd"], unbounded["tokens"], unbounded["unbounded"]) == (None, None, True)
    assert "Draft" in unbounded["why"]
    assert checked == {"usd": "0.5", "tokens": 900, "unbounded": False}
    assert "budget" in why


def test_a_document_that_cannot_be_read_has_no_worst_case(alice: Api, graph: Graph) -> None:
    checked = alice.post(f"graphs/{graph.pk}/check/", {"document": {"nodes": 7}}).json()

    assert checked["problems"]
    assert checked["worst_case"] is None
