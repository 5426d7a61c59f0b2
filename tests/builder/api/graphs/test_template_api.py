"""Templates over HTTP: the gallery's list, and graphs that come along."""

from __future__ import annotations

from typing import Any

from builder.models import Graph, GraphVersion
from builder.services.graphs import graphs
from tests.builder.conftest import Api, People

CHILD = "find-an-address"


def subgraph_of(graph: dict[str, Any]) -> str:
    """Return the graph that a made graph runs."""
    nodes = graph["document"]["nodes"]
    return str(next(n["config"]["subgraph_id"] for n in nodes if n["id"] == "contact"))


def test_the_gallery_lists_cards_with_documents_and_examples(alice: Api) -> None:
    listed = {t["id"]: t for t in alice.get("graph-templates/").json()["results"]}

    voting = listed["voting"]
    assert (voting["pattern"], voting["category"], voting["needs"]) == (
        "Voting",
        "Teams",
        "builtin",
    )
    assert voting["document"]["nodes"][0]["type"] == "voting"
    assert voting["examples"]
    assert listed["evolution"]["needs"] == "prose"
    assert listed["tool-agent"]["needs"] == "tools"
    assert listed["subgraph"]["brings"] == ["Find an address"]


def test_a_subgraph_comes_along_published_and_only_once(alice: Api, people: People) -> None:
    first = alice.post("graphs/", {"template": "subgraph"}).json()
    second = alice.post("graphs/", {"template": "subgraph"}).json()

    made = Graph.objects.filter(workspace=people.alice.workspace, slug__startswith=CHILD)
    assert [graph.slug for graph in made] == [CHILD]
    assert GraphVersion.objects.filter(graph=made.get(), published_at__isnull=False).count() == 1
    assert subgraph_of(first) == subgraph_of(second) == CHILD
    assert second["slug"] == "order-desk-2"


def test_another_graph_of_that_name_is_left_alone(alice: Api, people: People) -> None:
    other = graphs.import_graph(
        people.alice, {"id": CHILD, "nodes": [{"id": "a", "type": "output"}]}
    )
    graphs.publish(people.alice, other, revision=other.revision)

    made = alice.post("graphs/", {"template": "subgraph"}).json()

    assert subgraph_of(made) == f"{CHILD}-2"


def test_who_may_not_edit_may_not_use_a_template(people: People) -> None:
    viewer = Api(people.vera)

    assert viewer.get("graph-templates/").status_code == 200
    assert viewer.post("graphs/", {"template": "subgraph"}).status_code == 403
    assert not Graph.objects.filter(slug__startswith=CHILD).exists()


def test_the_admin_names_broken_plug_ins(rf: Any, people: People) -> None:
    from importlib.metadata import EntryPoint

    from builder.admin.tables import dashboard
    from engine.core.node_types import plugins

    plugins.load_each([EntryPoint("torn", "torn_package:X", "graphwright.tools")], print)

    shown = dashboard(rf.get("/admin/"), {})["broken_plugins"]
    assert "torn_package" in " ".join(map(str, shown))
