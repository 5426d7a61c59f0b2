"""Forking a run over the API."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import Graph, GraphVersion, Run
from builder.services.graphs import drafts
from builder.services.graphs.drafts import DraftChange
from builder.services.runs import runs
from engine.core.errors import RequestRefused
from engine.core.graph.document import parse_document
from engine.core.node_types.node_type import UNSET
from engine.core.values.json import JsonObject
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor


@pytest.fixture
def ended(run: Run) -> Run:
    """A run that is over."""
    Run.objects.filter(pk=run.pk).update(status="completed", ended_at=run.started_at + 1)
    run.refresh_from_db()
    return run


def test_a_fork_carries_its_changes(ended: Run, alice: Api, door: FakeDoor) -> None:
    """C33: Point, memory and input go to the engine; the new run names where it comes from."""
    body = {"from": "draft#1", "memory": {"a": 1, "b": None}, "input": None, "resend": True}

    answer = alice.post(f"runs/{ended.pk}/fork/", body)

    assert answer.status_code == 201
    [request] = door.forks
    assert (request.at, dict(request.memory or {})) == ("draft#1", {"a": 1, "b": None})
    assert (request.input, request.resend, request.version_id) == (None, True, None)
    detail = alice.get(f"runs/{answer.json()['id']}/").json()
    assert detail["forked_from"] == {"run_id": ended.pk, "seq": 1}


def test_forks_and_retries_note_who_began_them(ended: Run, alice: Api, door: FakeDoor) -> None:
    """A person's fork and retry count among the runs that people started."""
    forked = alice.post(f"runs/{ended.pk}/fork/", {"from": 3}).json()
    Run.objects.filter(pk=ended.pk).update(status="failed")
    retried = alice.post(f"runs/{ended.pk}/retry/", {}).json()

    found = alice.get("runs/?source=person").json()["results"]

    assert {forked["id"], retried["id"]} <= {run["id"] for run in found}


def test_an_input_that_is_not_given_stays(ended: Run, alice: Api, door: FakeDoor) -> None:
    """C33: Without `input` the start input is inherited."""
    alice.post(f"runs/{ended.pk}/fork/", {"from": 3})

    assert door.forks[0].input is UNSET
    assert door.forks[0].changes is False


def test_a_fork_on_the_draft_freezes_it(
    ended: Run, graph: Graph, alice: Api, door: FakeDoor, people: People
) -> None:
    """C33: The draft is frozen as a version of its own, with its editors for four eyes."""
    alice.post(f"runs/{ended.pk}/fork/", {"from": 3, "draft": True})

    [request] = door.forks
    version = GraphVersion.objects.get(pk=request.version_id)
    assert (version.is_draft, version.graph_id) == (True, graph.pk)
    assert request.people["editor"] == [people.alice.user_id]


def test_the_draft_is_parsed_only_where_no_hash_is_kept(
    ended: Run, graph: Graph, alice: Api, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C33: Runs that cannot be retried, and drafts with a version of their own, are not parsed."""
    parsed: list[object] = []

    def parse(document: JsonObject) -> Any:
        parsed.append(document)
        return parse_document(document)

    monkeypatch.setattr(runs, "parse_document", parse)
    shown = f"runs/{ended.pk}/"

    assert alice.get(shown).json()["draft_differs"] is False
    Run.objects.filter(pk=ended.pk).update(status="failed")
    assert alice.get(shown).json()["draft_differs"] is False
    assert parsed == []  # the run's own version is of the draft's revision

    node: JsonObject = {"id": "more", "type": "delay", "config": {"duration_ms": 1}}
    drafts.save_draft(people.alice, graph.pk, DraftChange(graph.revision, set_nodes=(node,)))
    assert alice.get(shown).json()["draft_differs"] is True
    assert len(parsed) == 1

    alice.post(f"runs/{ended.pk}/retry/", {"version": "draft"})  # keeps the draft as a version
    assert alice.get(shown).json()["draft_differs"] is True
    assert len(parsed) == 1


@pytest.mark.parametrize(
    "body", [{}, {"from": 0}, {"from": ""}, {"from": 1, "memory": []}, {"from": 1, "x": 1}]
)
def test_wrong_bodies_are_refused(ended: Run, alice: Api, door: FakeDoor, body: Any) -> None:
    """C33: A fork says where; unknown fields are refused."""
    assert alice.post(f"runs/{ended.pk}/fork/", body).status_code == 400
    assert door.forks == []


def test_a_refusal_carries_the_plan(
    ended: Run, alice: Api, door: FakeDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C33: What would be sent again stands in the refusal."""

    def refuse(run_id: str, request: Any) -> str:
        raise RequestRefused("ForkResends", "1 call", detail={"plan": {"resent": [1]}})

    monkeypatch.setattr(door, "fork_run", refuse)
    answer = alice.post(f"runs/{ended.pk}/fork/", {"from": 1})

    assert (answer.status_code, answer.json()["code"]) == (409, "ForkResends")
    assert answer.json()["plan"] == {"resent": [1]}


def test_who_may_fork(ended: Run, alice: Api, bob: Api, run: Run) -> None:
    """C33: Authors and operators fork runs that are over; reviewers only look at the plan."""
    assert alice.get(f"runs/{ended.pk}/").json()["can"]["fork"] is True
    assert bob.get(f"runs/{ended.pk}/").json()["can"]["fork"] is False
    assert bob.post(f"runs/{ended.pk}/fork/", {"from": 1}).status_code == 403
    assert bob.get(f"runs/{ended.pk}/fork-plan/?from=draft").json()["from"]["key"] == "draft"


def test_a_retry_that_would_send_again_has_to_say_so(
    ended: Run, alice: Api, door: FakeDoor
) -> None:
    """C33: A retry is refused where calls would be sent again, until the body accepts it."""
    Run.objects.filter(pk=ended.pk).update(status="failed")
    door.resends = True

    refused = alice.post(f"runs/{ended.pk}/retry/")
    accepted = alice.post(f"runs/{ended.pk}/retry/", {"resend": True})

    assert (refused.status_code, refused.json()["code"]) == (409, "ForkResends")
    assert "plan" in refused.json()
    assert accepted.status_code == 201


def test_a_retry_says_what_it_runs_the_same_the_draft_or_a_version(
    ended: Run, graph: Graph, alice: Api, door: FakeDoor, people: People
) -> None:
    """C33: Another document than the one that ran goes on at the failed node, like a fork."""
    Run.objects.filter(pk=ended.pk).update(status="failed")
    assert alice.get(f"runs/{ended.pk}/").json()["draft_differs"] is False
    same = alice.post(f"runs/{ended.pk}/retry/", {"version": "draft"})
    assert (same.status_code, door.forks) == (201, [])  # nothing was changed since

    node: JsonObject = {"id": "more", "type": "delay", "config": {"duration_ms": 1}}
    change = DraftChange(revision=graph.revision, set_nodes=(node,))
    drafts.save_draft(people.alice, graph.pk, change)
    assert alice.get(f"runs/{ended.pk}/").json()["draft_differs"] is True

    assert alice.post(f"runs/{ended.pk}/retry/").status_code == 201
    assert door.forks == []
    draft = alice.post(f"runs/{ended.pk}/retry/", {"version": "draft"})
    assert draft.status_code == 201
    [request] = door.forks
    frozen = GraphVersion.objects.get(pk=request.version_id)
    assert (request.at, frozen.is_draft, frozen.pk != ended.version_id) == (None, True, True)

    assert alice.post(f"runs/{ended.pk}/retry/", {"version": 99}).status_code == 404
    assert alice.post(f"runs/{ended.pk}/retry/", {"version": "newest"}).status_code == 400
