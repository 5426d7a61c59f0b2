"""What a check sees of a workspace's other graphs."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from builder.adapters.check_world import workspace_world
from builder.base.tool_sources import ListedSources
from builder.models import Graph, GraphVersion, Node, ToolSetting
from engine.check import check
from engine.core.graph.document import parse_document
from tests.builder.conftest import People


def document(id: str, target: str | None = None) -> dict[str, Any]:
    config: dict[str, Any] = {"duration_ms": 1} if target is None else {"subgraph_id": target}
    node = {"id": "n", "type": "delay" if target is None else "subgraph", "config": config}
    return {"graphwright": 1, "id": id, "nodes": [node], "edges": []}


def publish(graph: Graph, target: str | None) -> None:
    GraphVersion.objects.create(
        graph=graph,
        number=1,
        document=document(graph.slug, target),
        revision=1,
        published_at=timezone.now(),
    )


def errors(people: People, id: str, target: str) -> list[str]:
    spec, _problems = parse_document(document(id, target))
    assert spec is not None
    world = workspace_world(spec, people.alice.workspace_id, ListedSources(()))
    return [p.code for p in check(spec, world) if p.severity == "error"]


def test_a_subgraph_leads_to_a_published_graph_of_the_workspace(people: People) -> None:
    """C80, C85."""
    workspace = people.alice.workspace
    for slug, target in (("leaf", None), ("back", "home")):
        publish(Graph.objects.create(workspace=workspace, slug=slug, name=slug), target)
    Graph.objects.create(workspace=workspace, slug="unpublished", name="u")

    assert errors(people, "home", "leaf") == []
    assert errors(people, "home", "back") == ["SubgraphCycle"]
    assert errors(people, "home", "home") == ["SubgraphCycle"]
    assert errors(people, "home", "leaves") == ["GraphNotFound"]
    assert errors(people, "home", "unpublished") == ["GraphNotFound"]


def test_a_start_field_is_in_memory_where_another_workflow_calls_this_one(people: People) -> None:
    """The caller is a saved draft of this workspace that is not archived."""
    reads = {"id": "n", "type": "output", "read_keys": ["x"], "config": {"value": "memory.x"}}
    face = {"inputs": {"type": "object", "properties": {"x": {}}, "required": ["x"]}}
    home = {**document("home"), "nodes": [reads], "interface": face}
    spec, _problems = parse_document(home)
    assert spec is not None

    def told() -> list[str]:
        world = workspace_world(spec, people.alice.workspace_id, ListedSources(()))
        return [p.code for p in check(spec, world) if p.code == "UnwrittenKey"]

    def calling(slug: str, of: Any) -> Graph:
        graph = Graph.objects.create(workspace=of, slug=slug, name=slug)
        data = document(slug, "home")["nodes"][0]
        Node.objects.create(graph=graph, node_id="n", position=0, data=data, revision=1)
        return graph

    calling("home", people.alice.workspace)
    calling("other", people.carol.workspace)
    assert told() == ["UnwrittenKey"]

    caller = calling("caller", people.alice.workspace)
    assert told() == []

    caller.archived_at = timezone.now()
    caller.save()
    assert told() == ["UnwrittenKey"]


def test_a_tool_that_the_workspace_switched_off_is_off_for_its_check_alone(people: People) -> None:
    ToolSetting.objects.create(workspace=people.alice.workspace, tool="mail/send", on=False)
    ToolSetting.objects.create(workspace=people.alice.workspace, tool="mail/read", timeout_s=5)
    spec, _problems = parse_document(document("here"))
    assert spec is not None
    ours = workspace_world(spec, people.alice.workspace_id, ListedSources(()))
    theirs = workspace_world(spec, people.carol.workspace_id, ListedSources(()))
    assert (ours.tool_is_off("mail/send"), ours.tool_is_off("mail/read")) == (True, False)
    assert not theirs.tool_is_off("mail/send")
