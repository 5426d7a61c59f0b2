"""Prepared queries read what the ORM reads, and follow what changes between two calls."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from builder.models import Graph, Membership, Run, User
from builder.prepared import Prepared
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
    assert len(ours) <= 6
