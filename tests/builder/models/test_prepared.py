"""Prepared queries read what the ORM reads, and follow what changes between two calls."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from builder.models import Graph, Membership, Run, User
from builder.models.prepared import Prepared, each_number_of, each_of, number
from tests.builder.conftest import Api, People
from tests.builder.fakes import append


def fields(row: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(row).items() if name != "_state"}


def test_a_row_is_the_row_of_the_orm(people: People, run: Run) -> None:
    append(run, "NodeQueued", key="draft#1")
    rows = Run.objects.select_related("graph", "version").defer("version__document")
    prepared = Prepared(lambda user, pk: rows.visible_to(User(pk=user)).filter(pk=pk))

    found = prepared.first(people.alice.user_id, run.pk)
    expected = rows.get(pk=run.pk)

    assert found is not None
    assert fields(found) == fields(expected)
    assert found.seq == 2
    assert found.graph is not None
    assert fields(found.graph) == fields(expected.graph)
    assert found.version is not None
    assert expected.version is not None
    assert found.version.editors == expected.version.editors
    assert found.version.created_at == expected.version.created_at
    assert found.version.document["id"] == "support"
    assert prepared.first(people.carol.user_id, run.pk) is None
    assert prepared.first(people.alice.user_id, "' OR 1=1 --") is None


def test_what_is_not_joined_is_none(people: People, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(graph=None, version=None)
    prepared = Prepared(lambda pk: Run.objects.select_related("graph", "version").filter(pk=pk))

    found = prepared.first(run.pk)

    assert found is not None
    assert (found.graph, found.version) == (None, None)


def test_changes_are_seen_and_every_thread_may_ask(people: People) -> None:
    prepared = Prepared(lambda user: Membership.objects.filter(user=user)[:1])
    seen: list[str] = []

    for role in ("viewer", "admin"):
        Membership.objects.filter(user=people.alice.user).update(role=role)
        found = prepared.first(people.alice.user_id)
        assert found is not None
        assert found.role == role
    thread = threading.Thread(target=lambda: seen.append(str(prepared._build("x").query)[:6]))
    thread.start()
    thread.join()

    assert seen == ["SELECT"]


def test_a_parameter_that_gets_lost_is_told_at_once(db: None) -> None:
    lost = Prepared(lambda user, unused: Membership.objects.filter(user=user))

    with pytest.raises(AssertionError):
        lost.first("a", "b")


def test_a_start_reads_few_things_and_no_document(people: People, graph: Graph) -> None:
    """The document is parsed in the engine already; each of seven reads was compiled anew."""
    api = Api(people.alice)
    draft = api.get(f"graphs/{graph.pk}/").json()["revision"]
    api.post(f"graphs/{graph.pk}/publish/", {"revision": draft})

    with CaptureQueriesContext(connection) as asked:
        assert api.post(f"graphs/{graph.pk}/runs/", {"input": "x"}).status_code == 201

    reads = [query["sql"] for query in asked if query["sql"].startswith("SELECT")]
    ours = [sql for sql in reads if not sql.endswith("LIMIT 21")]  # that is the fake engine
    assert not [sql for sql in ours if '"document"' in sql]
    assert len(ours) <= 8  # one reads the session, one how a workspace wants people to sign in


def test_lists_numbers_and_counts_are_those_of_the_orm(people: People, run: Run) -> None:
    """A list is one parameter, so the SQL is the same for each length of it."""
    rows = Run.objects.select_related("graph", "version").order_by("pk")
    ids = Prepared(
        lambda keys, since: rows.filter(pk__in=each_of(keys), started_at__gte=number(since))
    )
    status = Prepared(
        lambda keys: Run.objects.filter(pk__in=each_of(keys)).values_list("pk", "status")
    )
    keys = json.dumps([run.pk, 'of "nobody"'])

    assert [fields(one) for one in ids.all(keys, 0)] == [fields(one) for one in rows]
    assert ids.all(keys, run.started_at + 1) == []
    assert ids.all("[]", 0) == []
    assert (ids.count(keys, run.started_at), ids.count("[]", 0)) == (1, 0)
    assert status.tuples(keys) == [(run.pk, run.status)]


def test_rows_of_one_related_row_share_it(people: People, run: Run) -> None:
    """A list of runs made the graph and the version of each run anew: two objects of three."""
    other = Graph.objects.create(workspace_id=run.workspace_id, slug="other", name="Other")
    graphs = [("a", run.graph_id, 90), ("b", other.pk, 91), ("c", None, 92)]
    for pk, graph_id, at in graphs:
        Run.objects.create(
            id=pk,
            workspace_id=run.workspace_id,
            graph_id=graph_id,
            started_at=1,
            number=at,
        )
    rows = Run.objects.select_related("graph").order_by("pk")
    prepared = Prepared(lambda numbers: rows.filter(number__in=each_number_of(numbers)))

    first, other_run, without = prepared.all("[90, 91, 92]")

    assert [one.graph for one in (first, other_run, without)] == [run.graph, other, None]
    again, mine = prepared.all(json.dumps([90, run.number]))
    assert again.graph is mine.graph
    assert again.graph is not first.graph


@pytest.mark.parametrize(("path", "most"), [("runs/", 5), ("graphs/", 8)])
@pytest.mark.parametrize("limit", [50, 200])
def test_the_usual_page_is_the_page_of_the_orm(
    people: People, run: Run, path: str, most: int, limit: int
) -> None:
    """The usual page has its own queries; a blank search goes the long way to the same rows."""
    api = Api(people.alice)
    Run.objects.bulk_create(
        Run(
            id=f"more-{n:03}",
            workspace_id=run.workspace_id,
            graph_id=run.graph_id,
            graph_slug=run.graph_slug,
            status="failed",
            started_at=run.started_at + n // 2,
            number=10_000 + n,
        )
        for n in range(limit + 10)
    )
    Graph.objects.bulk_create(
        Graph(id=f"graph-{n:03}", workspace_id=run.workspace_id, slug=f"g{n}", name="More")
        for n in range(limit + 10)
    )
    ordering = {"runs/": "-started", "graphs/": "-updated_at"}[path]

    with CaptureQueriesContext(connection) as asked:
        usual = api.get(f"{path}?limit={limit}").json()
    long = api.get(f"{path}?limit={limit}&ordering={ordering}").json()

    assert usual == long
    assert len(usual["results"]) == limit
    assert usual["total"] > limit
    assert usual["next"]
    assert len([one for one in asked if one["sql"].startswith("SELECT")]) <= most
    assert Api(people.carol).get(f"{path}?limit={limit}").json()["results"] == []
