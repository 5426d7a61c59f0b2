"""Another name in a draft: what follows, and who cannot."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import Run
from builder.services.graphs import graphs
from tests.builder.conftest import Api, People

pytestmark = pytest.mark.django_db


def drawn(people: People, document: dict[str, Any]) -> str:
    """Return the id of a graph that the author imported."""
    return str(graphs.import_graph(people.alice, document).pk)


def line(slug: str, *nodes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a document whose nodes follow one another."""
    ids = ["__start__", *(node["id"] for node in nodes)]
    edges = [{"id": f"e{at}", "source": ids[at], "target": ids[at + 1]} for at in range(len(nodes))]
    return {"graphwright": 1, "id": slug, "nodes": list(nodes), "edges": edges, **more}


READER = {
    "id": "a",
    "type": "output",
    "read_keys": ["level"],
    "config": {"value": "memory.level"},
}
SCHEMA = {"type": "object", "properties": {"level": {"type": "string"}}}


def test_a_rename_gives_the_edits_and_writes_nothing(people: People) -> None:
    graph = drawn(people, line("g", READER, state_schema=SCHEMA))

    answer = Api(people.alice).post(
        f"graphs/{graph}/draft/rename/", {"kind": "field", "from": "level", "to": "grade"}
    )

    assert answer.status_code == 200, answer.json()
    edits = {tuple(edit["path"]): edit["value"] for edit in answer.json()["edits"]}
    assert edits[("config", "value")] == "memory.grade"
    assert edits[("read_keys",)] == ["grade"]
    detail = Api(people.alice).get(f"graphs/{graph}/").json()
    assert detail["revision"] == 1
    assert detail["document"]["nodes"][0]["config"]["value"] == "memory.level"


def test_nodes_of_other_workflows_that_map_the_field_are_named(people: People) -> None:
    graph = drawn(people, line("g", READER, state_schema=SCHEMA))
    config = {"subgraph_id": "g", "input_mapping": {"text": "level"}}
    drawn(people, line("h", {"id": "s", "type": "subgraph", "label": "Ask g", "config": config}))

    answer = Api(people.alice).post(
        f"graphs/{graph}/draft/rename/", {"kind": "field", "from": "level", "to": "grade"}
    )

    assert [caller["node"] for caller in answer.json()["callers"]] == ["Ask g"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"kind": "field", "from": "level", "to": "level"}, 409, "NameTaken"),
        ({"kind": "node", "from": "a", "to": "a"}, 409, "NameTaken"),
        ({"kind": "field", "from": "level", "to": "2nd"}, 400, "InputInvalid"),
        ({"kind": "field", "from": "level", "to": "input"}, 400, "InputInvalid"),
    ],
)
def test_a_name_that_is_taken_or_none_is_refused(
    people: People, body: dict[str, str], status: int, code: str
) -> None:
    graph = drawn(people, line("g", READER, state_schema=SCHEMA))

    answer = Api(people.alice).post(f"graphs/{graph}/draft/rename/", body)

    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_those_who_only_read_rename_nothing(people: People) -> None:
    graph = drawn(people, line("g", READER, state_schema=SCHEMA))

    answer = Api(people.vera).post(
        f"graphs/{graph}/draft/rename/", {"kind": "field", "from": "level", "to": "grade"}
    )

    assert answer.status_code == 403


def test_an_id_follows_its_title_until_something_has_run(people: People, run: Run) -> None:
    fresh = drawn(people, line("g", READER, state_schema=SCHEMA))
    body = {"kind": "node", "from": "a", "to": "check", "fresh": True}
    assert run.graph is not None
    node = run.graph.nodes.first()
    assert node is not None
    ran = {**body, "from": node.node_id}

    first = Api(people.alice).post(f"graphs/{fresh}/draft/rename/", body)
    second = Api(people.alice).post(f"graphs/{run.graph_id}/draft/rename/", ran)

    assert first.status_code == 200, first.json()
    assert (first.json()["kept"], second.json()["kept"]) == (False, True)
    assert second.json()["edits"] == []
