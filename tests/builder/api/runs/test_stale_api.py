"""What of a run is stale in the draft, and running only that, over the API."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import Graph, GraphVersion, Run
from builder.services.graphs import pins
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor, append

NONE: dict[str, Any] = {"stale": [], "asks": [], "waiting": False}


@pytest.fixture
def ended(run: Run) -> Run:
    """A test run of the draft that is over."""
    append(run, "RunStarted")
    Run.objects.filter(pk=run.pk).update(status="completed", ended_at=run.started_at + 1)
    run.refresh_from_db()
    return run


def test_the_plan_compares_the_draft_with_the_run(
    ended: Run, graph: Graph, alice: Api, door: FakeDoor
) -> None:
    door.plans[ended.pk] = {"stale": [{"node": "a", "why": "changed", "what": ["node"], "of": []}]}

    plan = alice.get(f"runs/{ended.pk}/fork-plan/?stale=true").json()

    assert plan["stale"][0]["node"] == "a"
    assert plan["run"] == ended.pk
    [(run_id, _hash, kept)] = door.compared
    assert (run_id, kept) == (ended.pk, {})
    assert alice.get(f"runs/{ended.pk}/fork-plan/").json()["run"] is None


def test_only_what_is_stale_runs_with_the_draft_and_its_pins(
    ended: Run, graph: Graph, alice: Api, door: FakeDoor, people: People
) -> None:
    answer = alice.post(f"runs/{ended.pk}/fork/", {"stale": True, "breakpoints": ["a"]})

    assert answer.status_code == 201, answer.json()
    [request] = door.forks
    assert (request.stale, request.at, request.breakpoints) == (True, None, ("a",))
    assert GraphVersion.objects.get(pk=request.version_id).is_draft
    assert request.people["editor"] == [people.alice.user_id]
    assert dict(request.pins) == pins.pins_of(graph)


@pytest.mark.parametrize(
    "body", [{}, {"stale": True, "from": 1}, {"stale": True, "memory": {"a": 1}}]
)
def test_one_of_both_is_asked_for(ended: Run, alice: Api, body: dict[str, Any]) -> None:
    assert alice.post(f"runs/{ended.pk}/fork/", body).status_code == 400


def test_a_version_that_is_gone_cannot_be_compared(ended: Run, alice: Api) -> None:
    Run.objects.filter(pk=ended.pk).update(version=None)

    answer = alice.get(f"runs/{ended.pk}/fork-plan/?stale=true")

    assert (answer.status_code, answer.json()["code"]) == (409, "VersionGone")


def test_after_a_node_alone_the_last_whole_run_counts(
    ended: Run, alice: Api, door: FakeDoor
) -> None:
    lone = Run.objects.get(pk=ended.pk)
    lone.pk, lone.started_at = "7" * 8 + "-7777-4777-8777-" + "7" * 12, ended.started_at + 5
    lone.number = None
    lone.trigger_key = None
    lone.save(force_insert=True)
    append(lone, "RunStarted", only="a")

    assert alice.get(f"runs/{lone.pk}/fork-plan/?stale=true").json()["run"] == ended.pk
    Run.objects.filter(pk=ended.pk).delete()
    answer = alice.get(f"runs/{lone.pk}/fork-plan/?stale=true")
    assert (answer.status_code, answer.json()["code"]) == (404, "RunNotFound")
