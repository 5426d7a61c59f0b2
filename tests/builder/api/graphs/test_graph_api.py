"""Graphs over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test.utils import CaptureQueriesContext

from builder.models import Graph, Run
from builder.services.graphs import graphs
from builder.services.runs import runs
from builder.services.runs.runs import Start
from engine.core.graph.document import parse_document
from tests.builder.conftest import DOCUMENT, Api, People
from tests.builder.fakes import FakeDoor, open_interrupt


def test_a_blank_graph_is_made_and_found(alice: Api) -> None:
    made = alice.post("graphs/", {"name": "My first graph", "tags": ["a", "ä"]})
    found = alice.get("graphs/?search=first&tag=ä").json()

    assert made.status_code == 201
    assert made.json()["slug"] == "my-first-graph"
    assert made.json()["document"]["nodes"] == []
    assert [g["id"] for g in found["results"]] == [made.json()["id"]]
    assert alice.get("graphs/?tag=b").json()["results"] == []


@pytest.mark.parametrize(
    "text", [json.dumps(DOCUMENT), "id: y\nnodes:\n  - {id: a, type: agent}\n"]
)
def test_a_graph_is_made_from_text(alice: Api, text: str) -> None:
    made = alice.post("graphs/", {"document": text})

    assert made.status_code == 201
    assert made.json()["document"]["nodes"]


def test_a_document_with_mistakes_is_422_with_all_problems(alice: Api) -> None:
    refused = alice.post("graphs/", {"document": {"id": "x", "colour": 1, "nodes": [{"id": "a"}]}})

    assert refused.status_code == 422
    assert refused.json()["code"] == "GraphHasErrors"
    assert {p["path"] for p in refused.json()["problems"]} == {"colour", "nodes[0].type"}


def test_every_template_makes_a_graph(alice: Api) -> None:
    listed = alice.get("graph-templates/").json()["results"]

    assert {t["id"] for t in listed} >= {"approval", "triage"}
    for template in listed:
        made = alice.post("graphs/", {"template": template["id"]})
        assert made.status_code == 201, made.content
    assert alice.post("graphs/", {"template": "../../settings"}).status_code == 404


def test_a_duplicate_has_the_same_nodes(alice: Api, graph: Graph) -> None:
    copy = alice.post("graphs/", {"duplicate_of": graph.pk}).json()

    assert copy["slug"] == "support-2"
    assert copy["document"]["nodes"] == DOCUMENT["nodes"]


def test_a_graph_of_another_workspace_cannot_be_duplicated(carol: Api, graph: Graph) -> None:
    assert carol.post("graphs/", {"duplicate_of": graph.pk}).status_code == 404


def test_a_save_answers_revision_problems_and_others(alice: Api, olga: Api, graph: Graph) -> None:
    path = f"graphs/{graph.pk}/draft/"

    saved = alice.patch(path, {"revision": 1, "set_nodes": [{"id": "x", "type": "agent"}]})
    empty = olga.patch(path, {"revision": 1})

    assert saved.json()["revision"] == 2
    assert ("UnreachableNode", "x") in {(p["code"], p["node"]) for p in saved.json()["problems"]}
    assert empty.json()["problems"] == saved.json()["problems"]
    assert [n["id"] for n in empty.json()["others"]["nodes"]] == ["x"]


def test_a_stale_save_is_409_with_what_is_there(alice: Api, olga: Api, graph: Graph) -> None:
    path = f"graphs/{graph.pk}/draft/"
    olga.patch(path, {"revision": 1, "set_graph": {"goal": "Theirs"}})

    refused = alice.patch(path, {"revision": 1, "set_graph": {"goal": "Mine"}})

    assert refused.status_code == 409
    body = refused.json()
    assert body["code"] == "StaleRevision"
    assert body["revision"] == 2
    assert body["conflicts"] == [{"kind": "graph", "id": "goal", "theirs": "Theirs"}]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"revision": "1"},
        {"revision": -1},
        {"revision": 99},
        {"revision": 1, "colour": 1},
        {"revision": 1, "set_nodes": [{"type": "agent"}]},
        {"revision": 1, "set_nodes": [{"id": 5}]},
        {"revision": 1, "set_nodes": {}},
        {"revision": 1, "set_nodes": [{"id": "a"}, {"id": "a"}]},
        {"revision": 1, "set_graph": {"nodes": []}},
        {"revision": 1, "delete_nodes": [""]},
    ],
)
def test_a_malformed_save_is_400_and_changes_nothing(
    alice: Api, graph: Graph, body: dict[str, Any]
) -> None:
    refused = alice.patch(f"graphs/{graph.pk}/draft/", body)

    assert refused.status_code == 400
    assert refused.json()["code"] == "InputInvalid"
    graph.refresh_from_db()
    assert graph.revision == 1


def test_an_export_reads_back_as_the_same_graph(alice: Api, graph: Graph) -> None:
    for wanted in ("json", "yaml"):
        text = alice.get(f"graphs/{graph.pk}/export/?format={wanted}")
        spec, problems = parse_document(text.content)
        assert problems == []
        assert spec is not None
        assert spec.hash == parse_document(DOCUMENT)[0].hash  # type: ignore[union-attr]
    assert alice.get(f"graphs/{graph.pk}/export/?format=xml").status_code == 400


def test_publish_list_look_and_restore(alice: Api, graph: Graph) -> None:
    path = f"graphs/{graph.pk}"
    published = alice.post(f"{path}/publish/", {"revision": 1, "note": "first"})
    alice.patch(f"{path}/draft/", {"revision": 1, "delete_nodes": ["review"]})
    changed = alice.get(f"{path}/").json()

    assert published.status_code == 201
    assert changed["has_draft_changes"]
    assert changed["published"]["number"] == 1
    assert alice.get(f"{path}/versions/").json()["results"][0]["note"] == "first"
    assert alice.get(f"{path}/versions/1/").json()["document"] == DOCUMENT
    restored = alice.post(f"{path}/versions/1/restore/").json()
    assert [n["id"] for n in restored["document"]["nodes"]] == ["draft", "review"]
    assert alice.get(f"{path}/versions/2/").status_code == 404


def test_errors_keep_a_graph_from_being_published(alice: Api, graph: Graph) -> None:
    nobody = {"id": "draft", "type": "agent", "config": {"agent_id": "nobody"}}
    alice.patch(f"graphs/{graph.pk}/draft/", {"revision": 1, "set_nodes": [nobody]})

    refused = alice.post(f"graphs/{graph.pk}/publish/", {"revision": 2})

    assert refused.status_code == 422
    assert refused.json()["problems"][0]["node"] == "draft"
    assert not alice.get(f"graphs/{graph.pk}/").json()["can"]["publish"]


def test_check_looks_at_the_draft_or_at_a_given_document(
    alice: Api, graph: Graph, door: FakeDoor
) -> None:
    door.tool_specs = []

    draft = alice.post(f"graphs/{graph.pk}/check/").json()
    given = alice.post(f"graphs/{graph.pk}/check/", {"document": {"id": "x", "foo": 1}}).json()

    assert "ToolNotFound" in {p["code"] for p in draft["problems"]}
    assert [p["code"] for p in given["problems"]] == ["UnknownField"]


def test_a_deleted_graph_is_gone_and_its_id_is_free(
    alice: Api, graph: Graph, people: People
) -> None:
    assert alice.delete(f"graphs/{graph.pk}/").status_code == 204
    assert alice.get(f"graphs/{graph.pk}/").status_code == 404
    assert alice.get("graphs/").json()["results"] == []
    assert graphs.import_graph(people.alice, DOCUMENT).slug == "support"


def test_a_rename_is_seen_in_document_and_list(alice: Api, graph: Graph) -> None:
    renamed = alice.patch(f"graphs/{graph.pk}/", {"name": "Help desk", "tags": ["x"]}).json()

    assert renamed["document"]["name"] == "Help desk"
    assert (renamed["name"], renamed["tags"], renamed["revision"]) == ("Help desk", ["x"], 2)


def test_the_list_tells_how_graphs_fare(alice: Api, graph: Graph, people: People) -> None:
    graphs.publish(people.alice, graph, revision=graph.revision)
    run = Run.objects.get(pk=runs.start_run(people.alice, graph, Start(input="hi")))
    open_interrupt(run)
    now = alice.get("graphs/").json()["results"][0]

    assert now["last_run"]["id"] == run.pk
    assert now["runs_30d"] == 1
    assert now["open_approvals"] == 1
    assert now["success_rate"] is None


def test_the_list_counts_no_tests_of_a_draft(
    alice: Api, graph: Graph, run: Run, people: People
) -> None:
    assert run.version is not None
    assert run.version.is_draft
    tested = alice.get("graphs/").json()["results"][0]
    assert (tested["last_run"], tested["runs_30d"]) == (None, 0)

    graphs.publish(people.alice, graph, revision=graph.revision)
    live = runs.start_run(people.alice, graph, Start(input="hi"))
    runs.start_run(people.alice, graph, Start(input="again", draft=True))
    now = alice.get("graphs/").json()["results"][0]

    assert (now["last_run"]["id"], now["runs_30d"]) == (live, 1)
    rows = alice.get(f"runs/?graph={graph.pk}&tests=false").json()["results"]
    assert [row["id"] for row in rows] == [live]


def test_a_list_costs_the_same_queries_for_one_graph_and_for_ten(
    alice: Api, people: People, graph: Graph, run: Run, connection_queries: Any
) -> None:
    def queries() -> int:
        with connection_queries() as seen:
            assert alice.get("graphs/").status_code == 200
        return len(seen)

    one = queries()
    for number in range(9):
        other = graphs.import_graph(people.alice, {**DOCUMENT, "name": f"Graph {number}"})
        graphs.publish(people.alice, other, revision=1)
    assert queries() == one <= 12


@pytest.fixture
def connection_queries() -> Any:
    from django.db import connection

    return lambda: CaptureQueriesContext(connection)


def test_pages_follow_each_other_without_gap(alice: Api, people: People) -> None:
    names = {f"Graph {n}" for n in range(7)}
    for name in sorted(names):
        graphs.create_graph(people.alice, name=name)

    for ordering in ("", "name", "-name", "created_at"):
        seen, cursor = [], ""
        while True:
            page = alice.get(f"graphs/?limit=3&ordering={ordering}&cursor={cursor}").json()
            seen += [g["name"] for g in page["results"]]
            cursor = page["next"]
            if cursor is None:
                break
        assert len(seen) == 7
        assert set(seen) == names


@pytest.mark.parametrize(
    "query", ["cursor=x", "cursor=WzEs", "limit=0", "limit=x", "ordering=pk", "colour=1"]
)
def test_malformed_queries_are_400(alice: Api, query: str) -> None:
    refused = alice.get(f"graphs/?{query}")

    assert refused.status_code == 400
    assert refused.json()["problems"][0]["path"] == query.split("=", maxsplit=1)[0]
