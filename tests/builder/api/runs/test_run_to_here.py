"""A run that stops at a node, over HTTP: asked for, shown, and no case to play again."""

from __future__ import annotations

from typing import Any

from builder.models import Graph, Run
from tests.builder.conftest import Api
from tests.builder.fakes import FakeDoor, append


def start(api: Api, graph: Graph, **body: Any) -> Any:
    return api.post(f"graphs/{graph.pk}/runs/", {"draft": True, **body})


def test_the_node_to_stop_after_is_handed_over_and_shown(
    alice: Api, graph: Graph, door: FakeDoor
) -> None:
    asked = start(alice, graph, until="classify")
    plain = start(alice, graph)

    assert (asked.status_code, plain.status_code) == (201, 201)
    assert [each.until for each in door.starts] == ["classify", None]
    shown = [alice.get(f"runs/{each.json()['id']}/").json()["until"] for each in (asked, plain)]
    assert shown == ["classify", None]


def test_another_place_to_stop_is_another_request(alice: Api, graph: Graph, door: FakeDoor) -> None:
    url, key = f"graphs/{graph.pk}/runs/", {"Idempotency-Key": "once"}
    first = alice.post(url, {"draft": True, "until": "classify"}, **key)
    again = alice.post(url, {"draft": True, "until": "classify"}, **key)
    other = alice.post(url, {"draft": True, "until": "answer"}, **key)

    assert first.json()["id"] == again.json()["id"]
    assert (other.status_code, other.json()["code"]) == (409, "IdempotencyConflict")


def test_a_run_that_stopped_is_no_case_to_play_again(
    alice: Api, graph: Graph, door: FakeDoor
) -> None:
    run = Run.objects.get(pk=start(alice, graph, until="classify").json()["id"])
    append(run, "RunCompleted", result=None, until="classify")
    run.status = "completed"
    run.save()

    refused = alice.get(f"runs/{run.pk}/test-case/")

    assert (refused.status_code, refused.json()["code"]) == (422, "NotRecordable")
    assert "to stop at a node" in refused.json()["detail"]
