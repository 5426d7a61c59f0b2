"""Drafts, versions and imports."""

from __future__ import annotations

from typing import Any

import pytest

from builder.base.errors import Conflict, InvalidInput, NotAllowed
from builder.models import DeletedPart, Graph, GraphVersion, VersionReference
from builder.services.graphs import drafts, graphs
from builder.services.graphs.drafts import DraftChange, document_of
from engine.core.errors import GraphHasErrors
from tests.builder.conftest import DOCUMENT, People


def node(name: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "type": "agent", **fields}


def test_an_import_gives_the_same_document_back(graph: Graph) -> None:
    assert document_of(graph) == DOCUMENT


def test_an_import_under_a_taken_id_gets_a_number(people: People, graph: Graph) -> None:
    second = graphs.import_graph(people.alice, DOCUMENT)

    assert [graph.slug, second.slug] == ["support", "support-2"]


def test_an_import_with_mistakes_is_refused_with_all_of_them(people: People) -> None:
    wrong = {**DOCUMENT, "colour": "red", "nodes": [{"id": "a", "type": "agent", "foo": 1}]}

    with pytest.raises(GraphHasErrors) as refused:
        graphs.import_graph(people.alice, wrong)

    assert {p.path for p in refused.value.problems} == {"colour", "nodes[0].foo"}
    assert not Graph.objects.exists()


def test_a_viewer_may_not_edit(people: People, graph: Graph) -> None:
    change = DraftChange(1, set_nodes=(node("x"),))

    with pytest.raises(NotAllowed):
        drafts.save_draft(people.vera, graph.pk, change)

    assert not graph.nodes.filter(node_id="x").exists()


def test_saves_of_different_parts_merge_and_each_hears_of_the_other(
    people: People, graph: Graph
) -> None:
    mine = drafts.save_draft(
        people.alice, graph.pk, DraftChange(1, set_nodes=(node("draft", label="Mine"),))
    )
    theirs = drafts.save_draft(
        people.olga,
        graph.pk,
        DraftChange(1, set_nodes=(node("review", label="Theirs"),), delete_edges=("b",)),
    )
    again = drafts.save_draft(people.alice, graph.pk, DraftChange(mine.revision))

    assert theirs.others["nodes"] == [node("draft", label="Mine")]
    assert again.others["nodes"] == [node("review", label="Theirs")]
    assert again.others["deleted_edges"] == ["b"]
    assert (mine.revision, theirs.revision, again.revision) == (2, 3, 3)


def test_a_save_of_a_part_that_changed_since_is_refused_and_writes_nothing(
    people: People, graph: Graph
) -> None:
    drafts.save_draft(
        people.olga,
        graph.pk,
        DraftChange(
            1,
            set_nodes=(node("draft", label="Theirs"),),
            delete_nodes=("review",),
            set_graph={"goal": "Theirs"},
        ),
    )
    mine = DraftChange(
        1,
        set_nodes=(node("draft", label="Mine"), node("review"), node("new")),
        set_graph={"goal": "Mine", "constraints": ["short"]},
    )

    with pytest.raises(Conflict) as refused:
        drafts.save_draft(people.alice, graph.pk, mine)

    assert refused.value.code == "StaleRevision"
    assert refused.value.extra["conflicts"] == [
        {"kind": "node", "id": "draft", "theirs": node("draft", label="Theirs")},
        {"kind": "node", "id": "review", "theirs": None},
        {"kind": "graph", "id": "goal", "theirs": "Theirs"},
    ]
    graph.refresh_from_db()
    assert graph.revision == 2
    assert graph.header["goal"] == "Theirs"
    assert not graph.nodes.filter(node_id="new").exists()


def test_the_same_change_twice_is_no_conflict(people: People, graph: Graph) -> None:
    change = DraftChange(1, set_nodes=(node("draft", label="Same"),), delete_edges=("b",))
    drafts.save_draft(people.alice, graph.pk, change)

    saved = drafts.save_draft(people.olga, graph.pk, change)

    assert saved.revision == 3


def test_a_deleted_node_that_comes_back_is_no_longer_told_as_deleted(
    people: People, graph: Graph
) -> None:
    drafts.save_draft(people.alice, graph.pk, DraftChange(1, delete_nodes=("review",)))
    drafts.save_draft(people.alice, graph.pk, DraftChange(2, set_nodes=(node("review"),)))

    others = drafts.save_draft(people.olga, graph.pk, DraftChange(1)).others

    assert others["deleted_nodes"] == []
    assert others["nodes"] == [node("review")]
    assert not DeletedPart.objects.exists()


def test_publishing_numbers_versions_and_notes_what_they_use(people: People, graph: Graph) -> None:
    version = graphs.publish(people.alice, graph, revision=1, note="first")

    assert (version.number, version.document) == (1, DOCUMENT)
    assert set(VersionReference.objects.values_list("kind", "name")) == {
        ("agent", "writer"),
        ("tool", "add"),
    }


def test_publishing_an_older_revision_is_refused(people: People, graph: Graph) -> None:
    drafts.save_draft(people.olga, graph.pk, DraftChange(1, delete_edges=("b",)))

    with pytest.raises(Conflict) as refused:
        graphs.publish(people.alice, graph, revision=1)

    assert refused.value.code == "StaleRevision"
    assert not GraphVersion.objects.exists()


def test_errors_block_publishing_and_warnings_do_not(people: People, graph: Graph) -> None:
    lonely = node("lonely", config={"agent_id": "writer"})
    saved = drafts.save_draft(people.alice, graph.pk, DraftChange(1, set_nodes=(lonely,)))
    assert ("UnreachableNode", "warning") in {(p.code, p.severity) for p in saved.proof.problems}
    graphs.publish(people.alice, graph, revision=2)

    nobody = node("draft", config={"agent_id": "nobody"})
    drafts.save_draft(people.alice, graph.pk, DraftChange(2, set_nodes=(nobody,)))
    with pytest.raises(GraphHasErrors):
        graphs.publish(people.alice, graph, revision=3)

    assert GraphVersion.objects.count() == 1


def test_a_restore_is_one_save_of_the_parts_that_differ(people: People, graph: Graph) -> None:
    version = graphs.publish(people.alice, graph, revision=1)
    drafts.save_draft(
        people.alice,
        graph.pk,
        DraftChange(1, set_nodes=(node("draft", label="x"), node("new")), delete_edges=("b",)),
    )

    restored = graphs.restore(people.alice, graph, version)

    assert document_of(restored) == DOCUMENT
    others = drafts.save_draft(people.olga, graph.pk, DraftChange(2)).others
    assert [n["id"] for n in others["nodes"]] == ["draft"]
    assert others["deleted_nodes"] == ["new"]


def test_a_draft_is_frozen_once_a_revision(people: People, graph: Graph) -> None:
    first = graphs.freeze_draft(people.alice, graph).version
    same = graphs.freeze_draft(people.alice, graph).version
    drafts.save_draft(people.alice, graph.pk, DraftChange(1, set_graph={"goal": "New"}))
    other = graphs.freeze_draft(people.alice, graph).version

    assert first.pk == same.pk != other.pk
    assert first.is_draft
    assert first.number is None


def test_a_save_beyond_the_most_parts_is_refused_whole(
    people: People, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "MAX_GRAPH_NODES", 2)
    renamed = DraftChange(1, set_nodes=(node("draft", label="Renamed"),))

    with pytest.raises(InvalidInput, match="at most 2 nodes"):
        drafts.save_draft(people.alice, graph.pk, DraftChange(1, set_nodes=(node("third"),)))

    assert not graph.nodes.filter(node_id="third").exists()
    assert drafts.save_draft(people.alice, graph.pk, renamed).revision == 2


def test_a_part_that_comes_back_stands_where_it_stood(people: People, graph: Graph) -> None:
    def order() -> list[str]:
        return [str(each) for each in graph.nodes.values_list("node_id", flat=True)]

    drafts.save_draft(people.alice, graph.pk, DraftChange(1, set_nodes=(node("x"), node("y"))))
    before = order()
    gone = before[:-1]
    drafts.save_draft(people.alice, graph.pk, DraftChange(2, delete_nodes=tuple(gone)))
    back = DraftChange(
        3,
        set_nodes=(*map(node, gone), node("new")),
        nodes_before={**dict.fromkeys(gone, "y"), "new": "nowhere"},
    )
    drafts.save_draft(people.alice, graph.pk, back)

    assert order() == [*before, "new"]
