"""Folders of workflows: paths that are kept, listed, moved and renamed as one."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import Graph
from builder.services.graphs import folders
from tests.builder.conftest import Api, People

pytestmark = pytest.mark.django_db


def new(api: Api, name: str, folder: str = "") -> str:
    answer = api.post("graphs/", {"name": name, "folder": folder})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def listed(api: Api, folder: str) -> list[str]:
    rows = api.get(f"graphs/?folder={folder}&ordering=name").json()["results"]
    return [row["name"] for row in rows]


def tree(api: Api) -> list[tuple[str, int]]:
    rows = api.get("folders/").json()["results"]
    return [(row["path"], row["workflows"]) for row in rows]


def test_a_folder_is_listed_with_all_that_lies_in_it(alice: Api, people: People) -> None:
    new(alice, "A", " Support /  Refunds")
    new(alice, "B", "Support")
    new(alice, "C", "Supporters")
    new(alice, "D")

    assert tree(alice) == [("Support", 2), ("Support/Refunds", 1), ("Supporters", 1)]
    assert listed(alice, "Support") == ["A", "B"]
    assert listed(alice, "Support/Refunds") == ["A"]


def test_a_workflow_is_put_into_a_folder_and_out_of_it(alice: Api, people: People) -> None:
    one = new(alice, "A")
    assert alice.patch(f"graphs/{one}/", {"folder": "Sales"}).json()["folder"] == "Sales"
    assert tree(alice) == [("Sales", 1)]

    assert alice.patch(f"graphs/{one}/", {"folder": ""}).json()["folder"] == ""
    assert tree(alice) == []


def test_workflows_move_together_or_not_at_all(
    alice: Api, carol: Api, people: People, graph: Graph
) -> None:
    ids = [new(alice, "A"), new(alice, "B")]
    foreign = new(carol, "Hers")

    moved = alice.post("folders/move/", {"graphs": ids, "folder": "Sales"})
    assert moved.json() == {"moved": 2}

    refused = alice.post("folders/move/", {"graphs": [*ids, foreign], "folder": "Else"})
    assert (refused.status_code, refused.json()["code"]) == (404, "GraphNotFound")
    assert tree(alice) == [("Sales", 2)]
    assert tree(carol) == []


def test_a_rename_takes_all_that_lies_in_it_along(alice: Api, people: People) -> None:
    new(alice, "A", "Support/Refunds/EU")
    new(alice, "B", "Support")
    new(alice, "C", "Supporters")

    renamed = alice.post("folders/rename/", {"from": "Support", "to": "Care"})

    assert renamed.json() == {"moved": 2}
    assert tree(alice) == [
        ("Care", 2),
        ("Care/Refunds", 1),
        ("Care/Refunds/EU", 1),
        ("Supporters", 1),
    ]
    assert alice.post("folders/rename/", {"from": "Care", "to": ""}).json() == {"moved": 2}
    assert tree(alice) == [("Refunds", 1), ("Refunds/EU", 1), ("Supporters", 1)]


def test_a_rename_that_would_lie_too_deep_moves_nothing(alice: Api, people: People) -> None:
    new(alice, "A", "Support/Refunds/EU")

    refused = alice.post("folders/rename/", {"from": "Support", "to": "Care/Support"})

    assert refused.status_code == 400
    assert refused.json()["problems"][0]["path"] == "to"
    assert tree(alice)[0] == ("Support", 1)
    gone = alice.post("folders/rename/", {"from": "Nowhere", "to": "X"})
    assert (gone.status_code, gone.json()["code"]) == (404, "FolderNotFound")


@pytest.mark.parametrize("path", ["a/b/c/d", "a//b", "/a", "x" * 41, "a/ /b"])
def test_what_is_no_path_is_refused(alice: Api, people: People, path: str) -> None:
    refused = alice.post("graphs/", {"name": "A", "folder": path})

    assert refused.status_code == 400
    assert refused.json()["problems"][0]["path"] == "folder"
    assert not Graph.objects.filter(name="A").exists()


def test_a_move_is_no_change_of_the_workflow(alice: Api, graph: Graph) -> None:
    before = (graph.revision, graph.updated_at)

    alice.post("folders/move/", {"graphs": [graph.pk], "folder": "Sales"})

    graph.refresh_from_db()
    assert (graph.revision, graph.updated_at, graph.folder) == (*before, "Sales")
    exported: Any = alice.get(f"graphs/{graph.pk}/export/").json()
    assert "folder" not in exported


def test_a_copy_lies_where_its_origin_does(alice: Api, graph: Graph) -> None:
    folders.move(people_of(graph), [graph.pk], "Sales")

    copy = alice.post("graphs/", {"duplicate_of": graph.pk}).json()

    assert copy["folder"] == "Sales"


def test_who_only_decides_moves_nothing(bob: Api, graph: Graph) -> None:
    refused = bob.post("folders/move/", {"graphs": [graph.pk], "folder": "Sales"})

    assert (refused.status_code, refused.json()["code"]) == (403, "NotAllowed")


def test_the_palette_finds_folders(alice: Api, people: People) -> None:
    new(alice, "A", "Support/Refunds")

    found = alice.get("search/?q=refund").json()["results"]

    assert [(row["kind"], row["id"], row["note"]) for row in found] == [
        ("workflow", found[0]["id"], ""),
        ("folder", "Support/Refunds", "1 workflow"),
    ]


def people_of(graph: Graph) -> Any:
    return graph.workspace.memberships.get(user__name="Alice")
