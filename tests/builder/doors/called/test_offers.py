"""Workflows as tools and chat models: who offers them, under which names."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import Graph, Offer
from builder.services.graphs import graphs
from tests.builder.conftest import DOCUMENT, Api, People


def put(api: Api, graph: Graph, tool_name: str | None, *, chat: bool = False) -> Any:
    """Return the answer to an offer."""
    return api("PUT", f"graphs/{graph.pk}/offer/", {"tool_name": tool_name, "chat": chat})


def test_an_offer_is_made_and_withdrawn_and_stands_in_the_audit(
    alice: Api, olga: Api, graph: Graph
) -> None:
    before = alice.get(f"graphs/{graph.pk}/offer/").json()
    made = put(alice, graph, "support", chat=True).json()
    put(alice, graph, None)

    assert (before["tool_name"], before["chat"], before["published"]) == (None, False, False)
    assert (made["tool_name"], made["chat"], made["model"]) == ("support", True, "support")
    told = [row["action"] for row in olga.get("audit/").json()["results"]]
    assert told[:2] == ["graph.offer_withdrawn", "graph.offered"]


@pytest.mark.parametrize("name", ["", "two words", "ä", "x" * 61, "a/b", "run_status"])
def test_a_name_that_clients_do_not_take_is_refused(alice: Api, graph: Graph, name: str) -> None:
    answer = put(alice, graph, name)

    assert (answer.status_code, answer.json()["problems"][0]["path"]) == (400, "tool_name")
    assert not Offer.objects.exists()


def test_a_name_is_one_workflows_until_that_is_deleted(
    alice: Api, people: People, graph: Graph
) -> None:
    other = graphs.import_graph(people.alice, {**DOCUMENT, "id": "other"})
    put(alice, graph, "support")

    taken = put(alice, other, "support")
    graphs.delete_graph(people.alice, graph)

    assert (taken.status_code, taken.json()["code"]) == (409, "ToolNameTaken")
    assert put(alice, other, "support").status_code == 200


def test_who_may_not_edit_offers_nothing(bob: Api, graph: Graph) -> None:
    assert put(bob, graph, "support").status_code == 403
    assert bob.get(f"graphs/{graph.pk}/offer/").json()["may_change"] is False
