"""Starting, watching and ending runs over HTTP."""

from __future__ import annotations

import hashlib
import threading
from typing import Any

import orjson
import pytest

from builder.base import engine_door
from builder.models import Blob, Graph, GraphVersion, Run, RunBlob
from builder.services.graphs import graphs
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor, append


def start(api: Api, graph: Graph, body: dict[str, Any] | None = None, **headers: str) -> Any:
    return api.post(f"graphs/{graph.pk}/runs/", {"draft": True, **(body or {})}, **headers)


def test_a_start_hands_everything_to_the_engine(
    alice: Api, graph: Graph, door: FakeDoor, people: People
) -> None:
    """S15."""
    body = {
        "input": "hi",
        "memory": {"a": 1},
        "goal": "G",
        "constraints": ["c"],
        "context": {"locale": "de"},
        "metadata": {"sessionId": "session-123"},
        "budget_usd": "1.50",
        "max_token_budget": 10,
    }

    started = start(alice, graph, body)

    assert started.status_code == 201
    asked = door.starts[0]
    assert started.json()["id"] == asked.run_id
    assert started.json()["is_draft"]
    assert (asked.input, asked.memory, asked.goal) == ("hi", {"a": 1}, "G")
    assert asked.metadata == {"sessionId": "session-123"}
    assert asked.context == {"locale": "de"}
    assert (str(asked.budget_usd), asked.max_token_budget) == ("1.50", 10)
    assert asked.started_by == people.alice.user_id
    assert asked.graph_id == "support"


@pytest.mark.parametrize(
    "name", ["graph_id", "run_id", "tenant_id", "user_id", "session_id", "correlation_id"]
)
def test_the_engines_context_keys_cannot_be_set(
    alice: Api, graph: Graph, door: FakeDoor, name: str
) -> None:
    """S2."""
    refused = start(alice, graph, {"context": {name: "x"}})

    assert refused.status_code == 400
    assert refused.json()["code"] == "InputInvalid"
    assert refused.json()["problems"][0]["path"] == f"context.{name}"
    assert door.starts == []


@pytest.mark.parametrize(
    "body",
    [
        {"context": 5},
        {"metadata": {"a": 1}},
        {"memory": []},
        {"budget_usd": "-1"},
        {"budget_usd": "NaN"},
        {"budget_usd": True},
        {"max_token_budget": 1.5},
        {"constraints": "x"},
        {"version": 0},
        {"draft": True, "version": 1},
        {"colour": "red"},
    ],
)
def test_a_malformed_start_is_400_and_no_run_exists(
    alice: Api, graph: Graph, door: FakeDoor, body: dict[str, Any]
) -> None:
    """K14."""
    refused = start(alice, graph, body)

    assert refused.status_code == 400
    assert refused.json()["code"] == "InputInvalid"
    assert door.starts == []


def test_an_input_that_is_given_as_null_is_an_input(
    alice: Api, graph: Graph, door: FakeDoor
) -> None:
    start(alice, graph, {"input": None})
    start(alice, graph)

    assert door.starts[0].input is None
    assert door.starts[1].input is not None


def test_the_same_key_and_body_is_the_same_run(alice: Api, graph: Graph, door: FakeDoor) -> None:
    first = start(alice, graph, {"input": 1}, **{"Idempotency-Key": "k"})
    again = start(alice, graph, {"input": 1}, **{"Idempotency-Key": "k"})
    other = start(alice, graph, {"input": 2}, **{"Idempotency-Key": "k"})

    assert first.json()["id"] == again.json()["id"]
    assert other.status_code == 409
    assert other.json()["code"] == "IdempotencyConflict"
    assert len(door.starts) == 1


def test_a_run_takes_the_latest_version_unless_told_otherwise(
    alice: Api, graph: Graph, people: People
) -> None:
    path = f"graphs/{graph.pk}/runs/"
    assert alice.post(path).json()["code"] == "NotPublished"

    graphs.publish(people.alice, graph, revision=1)
    graphs.publish(people.alice, graph, revision=1)

    assert alice.post(path).json()["version"] == 2
    assert alice.post(path, {"version": 1}).json()["version"] == 1
    assert alice.post(path, {"version": 3}).status_code == 404


def test_a_reviewer_may_not_start(bob: Api, graph: Graph, door: FakeDoor) -> None:
    assert start(bob, graph).status_code == 403
    assert door.starts == []


def test_the_picture_of_a_run_is_of_one_seq(alice: Api, run: Run) -> None:
    append(run, "NodeStarted", key="draft#1", attempt=1)
    append(run, "StepCompleted", key="draft#1", cost_usd="0.000240", tokens=120)
    append(run, "StepFailed", key="draft#1/w[0]#1", cost_usd="0.1", tokens=5)
    run.spent_pico, run.spent_tokens = 240_000_000, 120
    run.save()

    seen = alice.get(f"runs/{run.pk}/").json()

    assert seen["as_of_seq"] == seen["seq"] == 4
    assert seen["input"] == "hi"
    assert seen["spend"]["usd"] == "0.00024"
    assert seen["spend"]["by_node"] == {
        "draft": {"tokens": 120, "usd": "0.00024", "attempts": 1},
        "w": {"tokens": 5, "usd": "0.1", "attempts": 0},
    }
    assert seen["document"]["id"] == "support"
    assert seen["can"] == {"cancel": True, "retry": False, "fork": False, "decide": False}
    assert seen["started_by"]["name"] == "Alice"


def test_events_are_flat_and_in_order(alice: Api, run: Run) -> None:
    append(run, "NodeCompleted", key="m#1/w[0]#1", output={"a": "ä"})
    append(run, "JoinForced")

    seen = alice.get(f"runs/{run.pk}/events/?after=1").json()

    assert seen["head"] == 3
    assert seen["events"][0] == {
        "seq": 2,
        "type": "NodeCompleted",
        "at": "2027-01-15T08:00:00.002Z",
        "node": "w",
        "key": "m#1/w[0]#1",
        "output": {"a": "ä"},
    }
    assert [e["seq"] for e in seen["events"]] == [2, 3]
    assert len(alice.get(f"runs/{run.pk}/events/?limit=2").json()["events"]) == 2
    assert alice.get(f"runs/{run.pk}/events/?limit=1001").status_code == 400


def test_state_is_asked_of_the_engine(alice: Api, run: Run) -> None:
    assert alice.get(f"runs/{run.pk}/state/").json()["seq"] == 1
    assert alice.get(f"runs/{run.pk}/state/?seq=1").json()["seq"] == 1
    assert alice.get(f"runs/{run.pk}/state/?seq=2").status_code == 400


def test_a_blob_is_read_through_a_run_that_mentions_it(alice: Api, run: Run) -> None:
    data = orjson.dumps({"big": "x"})
    name = hashlib.sha256(data).hexdigest()
    Blob.objects.create(hash=name, size=len(data), data=data)

    assert alice.get(f"runs/{run.pk}/blobs/{name}/").status_code == 404

    RunBlob.objects.create(run=run.pk, hash=name)
    assert alice.get(f"runs/{run.pk}/blobs/{name}/").json() == {"big": "x"}


def test_cancel_and_retry(alice: Api, run: Run) -> None:
    cancelled = alice.post(f"runs/{run.pk}/cancel/", {"reason": "enough"})
    again = alice.post(f"runs/{run.pk}/cancel/")
    retried = alice.post(f"runs/{run.pk}/retry/")

    assert (cancelled.status_code, cancelled.json()["status"]) == (202, "cancelled")
    assert again.status_code == 202
    assert Run.objects.get(pk=run.pk).seq == 2
    assert retried.status_code == 201
    assert retried.json()["id"] != run.pk


def test_a_run_under_way_cannot_be_retried(alice: Api, run: Run) -> None:
    assert alice.post(f"runs/{run.pk}/retry/").json()["code"] == "RunNotRetryable"


def test_authors_cancel_their_own_runs_and_operators_all(
    people: People, graph: Graph, run: Run
) -> None:
    other = Api(people.olga)
    theirs = start(other, graph).json()["id"]

    assert Api(people.alice).post(f"runs/{theirs}/cancel/").status_code == 403
    assert Api(people.oscar).post(f"runs/{theirs}/cancel/").status_code == 202


def test_runs_are_found_by_what_they_are(alice: Api, graph: Graph, run: Run) -> None:
    def found(query: str) -> int:
        return len(alice.get(f"runs/?{query}").json()["results"])

    assert found("") == 1
    assert found("status=running,failed") == 1
    assert found("status=failed") == 0
    assert found(f"graph={graph.pk}&search=supp") == 1
    assert found(f"search={run.pk[:8]}") == 1
    assert found("since=2027-01-01T00:00:00Z&until=2028-01-01T00:00:00%2B02:00") == 1
    assert found("until=2027-01-01T00:00:00Z") == 0
    for query in ("status=odd", "since=yesterday", "since=2027-01-01T00:00:00"):
        assert alice.get(f"runs/?{query}").status_code == 400


def test_the_overview_counts(alice: Api, run: Run) -> None:
    seen = alice.get("overview/").json()

    assert seen["runs"]["running"] == 1
    assert len(seen["runs_per_hour"]) == 24
    assert seen["spend_by_graph"][0]["graph"]["name"] == "Support"


def test_without_an_engine_a_start_is_503_and_says_so(alice: Api, graph: Graph) -> None:
    engine_door.install(None)

    refused = start(alice, graph)

    assert refused.status_code == 503
    assert refused.json()["code"] == "EngineNotStarted"


@pytest.mark.django_db(transaction=True)
def test_one_key_sent_by_many_at_once_starts_one_run(people: People, graph: Graph) -> None:
    from django.db import connections

    graphs.freeze_draft(people.alice, graph)
    ids: list[str] = []
    barrier = threading.Barrier(4, timeout=20)

    def send() -> None:
        api = Api(people.alice)
        barrier.wait()
        answer = start(api, graph, {"input": 1}, **{"Idempotency-Key": "once"})
        ids.append(answer.json().get("id", answer.content))
        connections.close_all()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(ids)) == 1
    assert Run.objects.count() == 1
    assert GraphVersion.objects.count() == 1
