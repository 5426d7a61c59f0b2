"""An older version is made live again."""

from __future__ import annotations

from builder.models import AuditEntry, Graph, VersionReference
from builder.services.graphs import graphs
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor


def published(graph: Graph, people: People, times: int) -> None:
    for _ in range(times):
        graphs.publish(people.alice, graph, revision=1)


def test_promoting_makes_a_new_version_of_the_same_content(
    graph: Graph, alice: Api, people: People
) -> None:
    """An older version becomes the latest; the draft and the old versions stay as they are."""
    published(graph, people, 2)

    answer = alice.post(f"graphs/{graph.pk}/versions/1/promote/")

    assert answer.status_code == 201
    assert (answer.json()["number"], answer.json()["note"]) == (3, "Version 1 again")
    first, third = (graph.versions.get(number=n) for n in (1, 3))
    assert (third.document, third.hash, third.editors) == (
        first.document,
        first.hash,
        first.editors,
    )
    assert VersionReference.objects.filter(version=third).count() > 0
    assert alice.get(f"graphs/{graph.pk}/").json()["published"]["number"] == 3
    assert AuditEntry.objects.filter(entry__contains="graph.promoted").count() == 1


def test_the_live_version_is_not_promoted(graph: Graph, alice: Api, people: People) -> None:
    """What is live already is refused."""
    published(graph, people, 2)

    answer = alice.post(f"graphs/{graph.pk}/versions/2/promote/")

    assert (answer.status_code, answer.json()["code"]) == (409, "AlreadyLive")
    assert graph.versions.published().count() == 2


def test_a_version_that_has_errors_now_is_not_promoted(
    graph: Graph, alice: Api, people: People, door: FakeDoor
) -> None:
    """What the workspace has lost since counts."""
    published(graph, people, 2)
    door.tool_specs = []

    answer = alice.post(f"graphs/{graph.pk}/versions/1/promote/")

    assert (answer.status_code, answer.json()["code"]) == (422, "GraphHasErrors")


def test_who_may_not_edit_may_not_promote(graph: Graph, bob: Api, people: People) -> None:
    """Promotion takes the right to edit."""
    published(graph, people, 2)

    assert bob.post(f"graphs/{graph.pk}/versions/1/promote/").status_code == 403
