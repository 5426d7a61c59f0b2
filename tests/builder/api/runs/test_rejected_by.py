"""Lists of runs name who rejected one, in a query for all of them."""

from __future__ import annotations

import csv
from importlib import import_module
from typing import Any

import orjson
import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from builder.models import FailureCause, Graph, Interrupt, Membership, Run, User
from builder.services.runs import runs
from builder.services.runs.runs import Start
from tests.builder.conftest import Api, People, sign_in_unheard
from tests.builder.fakes import fail, open_interrupt

pytestmark = pytest.mark.django_db


def rejected(people: People, graph: Graph, by: str | None, *, node: str = "review") -> Run:
    run = Run.objects.get(pk=runs.start_run(people.alice, graph, Start(draft=True)))
    item = open_interrupt(run)
    said = {"status": "answered", "outcome": "rejected", "decided_by": by, "resolved_seq": 5}
    Interrupt.objects.filter(pk=item.pk).update(**said)
    fail(run, "rejected: too much", code="ApprovalRejected", node=node)
    return Run.objects.get(pk=run.pk)


def test_a_rejected_run_says_who_rejected_it(
    alice: Api, people: People, graph: Graph, django_assert_max_num_queries: Any
) -> None:
    bob = people.bob.user
    mine = rejected(people, graph, bob.pk)
    gone = rejected(people, graph, "somebody-who-left")
    elsewhere = rejected(people, graph, bob.pk, node="draft")
    alice.get("runs/")

    with django_assert_max_num_queries(16):
        listed = alice.get("runs/").json()["results"]

    by = {row["id"]: row["rejected_by"] for row in listed}
    assert by[mine.pk] == {"id": bob.pk, "name": str(bob)}
    assert by[gone.pk] == "somebody-who-left"
    assert by[elsewhere.pk] is None, "an earlier no, after which the run went on"
    assert alice.get(f"runs/{mine.pk}/").json()["rejected_by"] == by[mine.pk]


def calling(people: People, graph: Graph, child: Run, message: str) -> Run:
    """Return a run that failed as the one that it had called did."""
    run = Run.objects.get(pk=runs.start_run(people.alice, graph, Start(draft=True)))
    Run.objects.filter(pk=child.pk).update(parent_run=run.pk)
    fail(run, f"graph 'kid' ended as failed: {message}", code="SubgraphFailed", node="sub")
    return Run.objects.get(pk=run.pk)


def test_a_run_says_who_rejected_what_it_called(
    alice: Api, people: People, graph: Graph, django_assert_max_num_queries: Any
) -> None:
    bob = people.bob.user
    no = "ApprovalRejected: rejected: too much"
    middle = calling(people, graph, rejected(people, graph, bob.pk), no)
    whole = calling(people, graph, middle, f"SubgraphFailed: graph 'kid' ended as failed: {no}")
    other = calling(people, graph, rejected(people, graph, bob.pk), "HttpUnavailable: 503")
    alice.get("runs/")

    with django_assert_max_num_queries(22):
        listed = alice.get("runs/").json()["results"]
    told = alice.get("runs/?format=csv").content.decode()

    told_as = {row["id"]: (row["status"], row["rejected"]) for row in listed}
    assert told_as[whole.pk] == told_as[middle.pk] == ("failed", True)
    assert told_as[other.pk] == ("failed", False)
    assert {whole.pk, middle.pk} < chosen(alice)
    by = {row["id"]: row["rejected_by"] for row in listed}
    assert by[middle.pk] == by[whole.pk] == {"id": bob.pk, "name": str(bob)}
    assert by[other.pk] is None, "it failed for another reason"
    named = {row["run"]: row["rejected_by"] for row in csv.DictReader(told.splitlines())}
    assert (named[whole.pk], named[other.pk]) == (str(bob), "")
    words = {row["run"]: row["status_in_words"] for row in csv.DictReader(told.splitlines())}
    assert (words[whole.pk], words[other.pk]) == ("Rejected", "Failed")


def above(people: People, graph: Graph, below: Run) -> Run:
    """Return a run that failed as the one that it had called did, of which its error tells."""
    run = Run.objects.get(pk=runs.start_run(people.alice, graph, Start(draft=True)))
    error = orjson.loads(below.error or "{}")
    fail(
        run,
        f"graph 'kid' ended as failed: {error['code']}: {error['message']}",
        code="SubgraphFailed",
        node="sub",
        detail={"status": "failed", "error": error, "run_id": below.pk},
    )
    return Run.objects.get(pk=run.pk)


@pytest.mark.parametrize("detail", ["a text", ["a list"], {"error": "a text"}, {"error": [1]}])
def test_a_detail_of_another_shape_breaks_no_list(
    alice: Api, people: People, graph: Graph, detail: Any
) -> None:
    """A function of somebody's own may fail with that code, and whatever it likes beside it."""
    run = Run.objects.get(pk=runs.start_run(people.alice, graph, Start(draft=True)))
    no = "graph 'kid' ended as failed: ApprovalRejected: no"
    fail(run, no, code="SubgraphFailed", node="sub", detail=detail)

    [told] = alice.get("runs/").json()["results"]

    assert told["rejected_by"] is None
    assert alice.get(f"runs/{run.pk}/").status_code == 200


def test_however_deep_and_long_ago_it_was_rejected(
    alice: Api, people: People, graph: Graph, django_assert_max_num_queries: Any
) -> None:
    """The error of a run names what it called, storey by storey: nothing is looked for."""
    bob = people.bob.user
    run = rejected(people, graph, bob.pk)
    Run.objects.filter(pk=run.pk).update(ended_at=(run.ended_at or 0) - 5 * 86_400_000)
    for _ in range(6):
        run = above(people, graph, run)
    strange = rejected(people, graph, bob.pk)
    Interrupt.objects.filter(run=strange.pk).update(workspace=people.carol.workspace_id)
    elsewhere = above(people, graph, strange)
    alice.get("runs/")

    with django_assert_max_num_queries(18):
        listed = alice.get("runs/").json()["results"]

    by = {row["id"]: row["rejected_by"] for row in listed}
    assert by[run.pk] == {"id": bob.pk, "name": str(bob)}
    assert by[elsewhere.pk] is None, "of another workspace nothing is told"


def test_the_file_of_runs_says_so_in_words(alice: Api, people: People, graph: Graph) -> None:
    rejected(people, graph, people.bob.user_id)
    late = Run.objects.get(pk=runs.start_run(people.alice, graph, Start(draft=True)))
    Run.objects.filter(pk=late.pk).update(status="timeout", ended_at=late.started_at)

    text = alice.get("runs/?format=csv").content.decode()

    told = {
        (row["status"], row["status_in_words"], row["rejected_by"])
        for row in csv.DictReader(text.splitlines())
    }
    assert told == {
        ("failed", "Rejected", str(people.bob.user)),
        ("timeout", "Timed out", ""),
    }


def test_the_admin_of_the_installation_says_so_too(people: People, graph: Graph) -> None:
    kid = rejected(people, graph, people.bob.user_id)
    whole = above(people, graph, kid)
    broken = Run.objects.get(pk=runs.start_run(people.alice, graph, Start(draft=True)))
    fail(broken)
    User.objects.filter(pk=people.olga.user_id).update(is_staff=True, is_superuser=True)
    client = Client()
    sign_in_unheard(client, Membership.objects.get(pk=people.olga.pk))

    def shown(standing: str) -> set[str]:
        page = client.get("/admin/builder/run/", {"standing": standing})
        listed = page.context["cl"].result_list
        return {run.pk for run in listed}

    assert shown("rejected") == {kid.pk, whole.pk}
    assert shown("failed") == {broken.pk}
    page = client.get("/admin/builder/run/").content.decode()
    assert page.count(">Rejected<") >= 2


def chosen(api: Api) -> set[str]:
    return {row["id"] for row in api.get("runs/?rejected=true").json()["results"]}


def test_what_was_counted_before_is_counted_as_rejected(
    alice: Api, people: People, graph: Graph
) -> None:
    """Of a step that called the workflow in which a person said no."""
    whole = above(people, graph, rejected(people, graph, people.bob.user_id))
    message = "graph 'kid' ended as failed: ApprovalRejected: rejected: too much"
    FailureCause.objects.filter(node="sub").update(code="SubgraphFailed", sample=message)
    assert whole.pk not in chosen(alice)

    import_module("builder.migrations.0060_refused_below").name(apps, connection.schema_editor())

    assert whole.pk in chosen(alice)
