"""Lists of runs name who rejected one, in a query for all of them."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from builder.models import Graph, Interrupt, Run
from builder.services.runs import runs
from builder.services.runs.runs import Start
from tests.builder.conftest import Api, People
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

    by = {row["id"]: row["rejected_by"] for row in listed}
    assert by[middle.pk] == by[whole.pk] == {"id": bob.pk, "name": str(bob)}
    assert by[other.pk] is None, "it failed for another reason"
    named = {row["run"]: row["rejected_by"] for row in csv.DictReader(told.splitlines())}
    assert (named[whole.pk], named[other.pk]) == (str(bob), "")


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
