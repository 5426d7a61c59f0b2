"""What the API says about dangerous steps, and the gate of publications."""

from __future__ import annotations

import pytest

from builder.models import AuditEntry, Graph
from builder.services.graphs import graphs
from tests.builder.conftest import Api, People

POST = {"url": "https://example.com/", "method": "POST"}
DOCUMENT = {
    "graphwright": 1,
    "id": "mail",
    "nodes": [{"id": "post", "type": "http_request", "config": POST}],
    "edges": [{"id": "in", "source": "__start__", "target": "post"}],
}


@pytest.fixture
def mail(people: People) -> Graph:
    """A graph that sends without asking."""
    return graphs.import_graph(people.alice, DOCUMENT)


def test_every_answer_about_a_draft_names_its_dangers(mail: Graph, alice: Api) -> None:
    """C192: Detail, save and check carry the way to each dangerous step."""
    way = {"nodes": ["post"], "edges": ["in"]}
    answers = [
        alice.get(f"graphs/{mail.pk}/"),
        alice.patch(f"graphs/{mail.pk}/draft/", {"revision": 1}),
        alice.post(f"graphs/{mail.pk}/check/"),
    ]

    for answer in answers:
        assert answer.json()["worst_case"]["usd"] == "0"
        [danger] = answer.json()["dangers"]
        assert (danger["node"], danger["kind"], danger["way"]) == ("post", "unsafe", way)


def test_the_gate_blocks_publications_but_not_runs_of_the_draft(
    mail: Graph, alice: Api, olga: Api
) -> None:
    """C192: With the gate an unguarded danger is an error of the publication alone."""
    assert alice.get(f"graphs/{mail.pk}/").json()["can"]["publish"] is True

    changed = alice.patch(f"graphs/{mail.pk}/", {"require_approval": True}).json()

    assert changed["require_approval"] is True
    assert changed["can"]["publish"] is False
    revision = changed["revision"]
    refused = alice.post(f"graphs/{mail.pk}/publish/", {"revision": revision})
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["code"] == "UnguardedEffect"
    assert alice.post(f"graphs/{mail.pk}/runs/", {"draft": True}).status_code == 201
    assert AuditEntry.objects.filter(entry__contains="graph.gate").count() == 1


def test_only_admins_take_the_gate_away(mail: Graph, alice: Api, olga: Api) -> None:
    """An author may set the gate; taking it away takes an admin."""
    alice.patch(f"graphs/{mail.pk}/", {"require_approval": True})

    assert alice.patch(f"graphs/{mail.pk}/", {"require_approval": False}).status_code == 403
    assert Graph.objects.get(pk=mail.pk).require_approval is True
    assert olga.patch(f"graphs/{mail.pk}/", {"require_approval": False}).status_code == 200
    assert Graph.objects.get(pk=mail.pk).require_approval is False


def test_what_surely_fails_keeps_a_graph_from_being_published(alice: Api, mail: Graph) -> None:
    step = {"id": "say", "type": "output", "config": {"value": "input.name"}}
    way = [{"id": "in", "source": "__start__", "target": "say"}]
    path = f"graphs/{mail.pk}"
    saved = alice.patch(
        f"{path}/draft/",
        {"revision": 1, "set_nodes": [step], "set_edges": way, "delete_nodes": ["post"]},
    ).json()
    refused = alice.post(f"{path}/publish/", {"revision": saved["revision"]})

    [found] = [p for p in saved["problems"] if p["code"] == "UnreadableKey"]
    assert found["severity"] == "error"
    assert found["fix"] == {"kind": "add_read_key", "node": "say", "key": "input.name"}
    assert (refused.status_code, refused.json()["code"]) == (422, "GraphHasErrors")

    cured = {**step, "read_keys": [found["fix"]["key"]]}
    saved = alice.patch(
        f"{path}/draft/", {"revision": saved["revision"], "set_nodes": [cured]}
    ).json()
    assert alice.post(f"{path}/publish/", {"revision": saved["revision"]}).status_code == 201
