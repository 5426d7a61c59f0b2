"""What a bulk preview and a job call their runs, and which runs they leave out."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import Activation, Graph, Run, Timer
from builder.services.runs import runs
from builder.services.runs.runs import Start
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.conftest import Api, People
from tests.builder.fakes import fail

pytestmark = pytest.mark.django_db


@pytest.fixture
def oscar(people: People) -> Api:
    return Api(people.oscar)


def started(people: People, graph: Graph, count: int, order: str = "K-1") -> list[str]:
    start = Start(draft=True, input={"order": order})
    return [runs.start_run(people.alice, graph, start) for _ in range(count)]


def preview(api: Api, ids: list[str], action: str = "retry") -> Any:
    answer = api.post("runs/bulk/preview/", {"select": {"ids": ids}, "action": action})
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_what_a_person_rejected_is_not_tried_again(
    oscar: Api, people: People, graph: Graph
) -> None:
    refused, failed = started(people, graph, 2)
    fail(Run.objects.get(pk=refused), "too much", code="ApprovalRejected", node="review")
    fail(Run.objects.get(pk=failed))

    shown = preview(oscar, [refused, failed])

    [left] = shown["left_out"]
    assert (left["code"], [run["status"] for run in left["runs"]]) == ("RunRejected", ["rejected"])
    assert "decision" in left["why"]
    assert [run["id"] for run in shown["first"]] == [failed]


def test_runs_are_called_by_title_workflow_and_standing(
    oscar: Api, people: People, graph: Graph
) -> None:
    ids = started(people, graph, 7)

    shown = preview(oscar, ids, "cancel")
    job = oscar.post("runs/bulk/", {"preview": shown["id"]}).json()["id"]

    assert (shown["included"], len(shown["first"])) == (7, 5)
    named = shown["first"][0]
    assert (named["graph"], named["status"]) == (graph.name, "running")
    items = oscar.get(f"runs/bulk/{job}/items/").json()["results"]
    assert {item["graph"] for item in items} == {graph.name}
    assert named["title"] == items[0]["title"]


def test_one_that_sleeps_is_called_so_as_in_lists(oscar: Api, people: People, graph: Graph) -> None:
    [sleeps, runs] = started(people, graph, 2)
    Run.objects.filter(pk__in=[sleeps, runs]).update(status="running")
    for run in Run.objects.filter(pk__in=[sleeps, runs]):
        place = (run.number or 0) * EVENTS_PER_RUN
        Activation.objects.create(place=place, key="m#1", node="m", status="running")
    Timer.objects.create(id=f"{sleeps}:t", run=sleeps, key="m#1", kind="sleep", fire_at=10**14)

    shown = preview(oscar, [sleeps, runs], "cancel")["first"]

    assert {run["id"]: run["status"] for run in shown} == {sleeps: "asleep", runs: "running"}
