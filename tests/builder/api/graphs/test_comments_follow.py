"""Threads and pins stay with their card: under another id, back again, and where the card was deleted."""

from __future__ import annotations

from typing import Any

import pytest

from builder.base.bells import graph_topic, hub
from builder.models import CommentThread, Graph, GraphVersion, Pin
from builder.services.graphs import graphs
from builder.services.graphs.drafts import document_of
from builder.services.people.commenting import threads
from tests.builder.conftest import Api, People

pytestmark = pytest.mark.django_db
HERE = {"x": 40, "y": 80}
STEP: dict[str, Any] = {"type": "tool", "config": {}, "position": HERE}


@pytest.fixture
def placed(graph: Graph, alice: Api, people: People) -> Graph:
    """The workflow with a card that stands somewhere, and a thread on it."""
    save(alice, graph, set_nodes=[{"id": "pay", "label": "Pay", **STEP}])
    threads.begin(people.alice, graph, "pay", "Twice?")
    return graph


def save(api: Api, graph: Graph, **change: Any) -> None:
    revision = Graph.objects.get(pk=graph.pk).revision
    answer = api.patch(f"graphs/{graph.pk}/draft/", {"revision": revision, **change})
    assert answer.status_code == 200, answer.content


def heading(api: Api, graph: Graph) -> tuple[str, str, bool]:
    [row] = api.get(f"graphs/{graph.pk}/threads/").json()["results"]
    return row["node"], row["label"], row["gone"]


def test_a_thread_follows_its_card_to_another_id_and_back(placed: Graph, alice: Api) -> None:
    save(
        alice,
        placed,
        set_nodes=[{"id": "pay_once", "label": "Pay once", **STEP}],
        delete_nodes=["pay"],
    )
    assert heading(alice, placed) == ("pay_once", "Pay once", False)

    save(
        alice,
        placed,
        set_nodes=[{"id": "pay", "label": "Pay", **STEP}],
        delete_nodes=["pay_once"],
    )
    assert heading(alice, placed) == ("pay", "Pay", False)


def test_who_has_it_open_is_told_once_the_thread_has_moved(
    placed: Graph, alice: Api, django_capture_on_commit_callbacks: Any
) -> None:
    """Who was told before the commit read the threads as they were, and nobody told them again."""
    heard: list[str] = []
    stop = hub.subscribe(
        graph_topic(placed.pk), lambda frame: heard.append(frame["op"] if frame else "")
    )

    with django_capture_on_commit_callbacks() as after:
        renamed = {"id": "once", "label": "Once", **STEP}
        save(alice, placed, set_nodes=[renamed], delete_nodes=["pay"])
    told_before = [op for op in heard if op == "comments"]
    for call in after:
        call()

    stop()
    assert told_before == []
    assert heard.count("comments") == 1


def test_a_thread_on_a_deleted_card_says_what_it_was_called_last(placed: Graph, alice: Api) -> None:
    save(alice, placed, set_nodes=[{"id": "pay", "label": "Settle", **STEP}])
    save(alice, placed, delete_nodes=["pay"])
    assert heading(alice, placed) == ("pay", "Settle", True)

    save(alice, placed, set_nodes=[{"id": "pay", "label": "Pay", **STEP}])
    assert heading(alice, placed) == ("pay", "Pay", False)


@pytest.mark.parametrize(
    "others",
    [
        [{"id": "a", **STEP, "position": {"x": 41, "y": 80}}],
        [{"id": "a", **STEP, "type": "delay"}],
        [{"id": "a", **STEP}, {"id": "b", **STEP}],
    ],
)
def test_a_thread_follows_no_other_card(
    placed: Graph, alice: Api, others: list[dict[str, Any]]
) -> None:
    save(alice, placed, set_nodes=others, delete_nodes=["pay"])

    assert heading(alice, placed) == ("pay", "Pay", True)


def test_a_restored_version_takes_its_threads_along(
    placed: Graph, alice: Api, people: People
) -> None:
    graph = Graph.objects.get(pk=placed.pk)
    version = GraphVersion.objects.create(
        graph=graph, is_draft=True, revision=graph.revision, document=document_of(graph), hash="x"
    )
    node = {"id": "settle", "label": "Settle", **STEP}
    save(alice, placed, set_nodes=[node], delete_nodes=["pay"])
    assert CommentThread.objects.get().node == "settle"

    graphs.restore(people.alice, graph, version)

    assert CommentThread.objects.get().node == "pay"


@pytest.mark.parametrize("stale", [False, True])
def test_a_pin_follows_its_card_in_place_of_one_that_was_left_there(
    graph: Graph, alice: Api, stale: bool
) -> None:
    save(alice, graph, set_nodes=[{"id": "pay", "label": "Pay", **STEP}])
    Pin.objects.create(graph=graph, node="pay", value={"output": 1})
    if stale:
        Pin.objects.create(graph=graph, node="pay_once", value={"output": 2})
    node = {"id": "pay_once", "label": "Pay once", **STEP}
    save(alice, graph, set_nodes=[node], delete_nodes=["pay"])

    assert list(Pin.objects.values_list("node", "value")) == [("pay_once", {"output": 1})]
