"""Workflows that start when something happens in the house: once for each trigger and event."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from builder.base.clock import now_ms
from builder.doors.house import dispatch as house
from builder.doors.house.consumers import CONSUMERS
from builder.doors.house.waiting import MINUTE_MS, note_waiting
from builder.doors.triggers import house_events, starting, trying
from builder.doors.triggers import verbs as triggers
from builder.doors.triggers.chains import DEEPEST
from builder.models import Delivery, Graph, HouseEvent, Interrupt, Run, Trigger
from builder.services.graphs import graphs
from tests.builder.conftest import DOCUMENT, Api, People
from tests.builder.fakes import FakeDoor

Listen = Callable[..., Trigger]


@pytest.fixture
def other(people: People) -> Graph:
    """A published workflow that watches the first one."""
    made = graphs.import_graph(people.alice, {**DOCUMENT, "id": "after", "name": "After"})
    graphs.publish(people.alice, made, revision=1)
    return made


@pytest.fixture
def listen(people: People, other: Graph) -> Listen:
    def make(*kinds: str, graph: Graph = other, mapping: Any = None, **config: Any) -> Trigger:
        wanted = triggers.Wanted(
            kind="event", config={"on": list(kinds), **config}, mapping=mapping or {}, on=True
        )
        return triggers.create(people.alice, graph, wanted)[0]

    return make


@pytest.fixture
def ended(people: People, graph: Graph) -> Callable[..., Run]:
    """Make a run of a workflow's published version that has ended, and say so."""
    graphs.publish(people.alice, graph, revision=1)

    def make(status: str = "completed", of: Graph = graph, **more: Any) -> Run:
        version = of.versions.get(is_draft=False)
        run = Run.objects.create(
            id=str(uuid.uuid4()), workspace=of.workspace, graph=of, version=version,
            graph_slug=of.slug, status=status, started_at=now_ms(), ended_at=now_ms(), **more,
        )  # fmt: skip
        tell(run, f"run.{status}", run.pk)
        return Run.objects.get(pk=run.pk)

    return make


def tell(run: Run, kind: str, ref: str, **said: Any) -> HouseEvent:
    return HouseEvent.objects.create(
        workspace_id=run.workspace_id, kind=kind, ref=ref, run=run.pk, graph=run.graph_id,
        data=json.dumps(said), at=now_ms(),
    )  # fmt: skip


def look(later_ms: int = 0) -> None:
    """A round of the thread of the doors."""
    house.dispatch(CONSUMERS, now_ms() + later_ms)
    starting.begin_due(now_ms() + later_ms)


def test_the_end_of_another_run_starts_one_and_says_which(
    listen: Listen, ended: Callable[..., Run], door: FakeDoor, alice: Api
) -> None:
    mapping = {"of": "body.run.id", "how": "body.event", "name": "body.workflow.name"}
    trigger = listen("run.completed", "run.failed", mapping=mapping)
    run = ended()
    look()
    look()

    [start] = door.starts
    assert start.input == {"of": run.pk, "how": "run.completed", "name": "Support"}
    begun = Run.objects.get(pk=start.run_id)
    assert (begun.source, begun.trigger) == ("event", trigger.pk)
    assert alice.get(f"runs/{begun.pk}/").json()["cause"] == run.pk
    assert alice.get(f"runs/{run.pk}/").json()["cause"] is None
    [came] = alice.get(f"triggers/{trigger.pk}/deliveries/").json()["results"]
    assert (came["event"], came["cause"], came["run"]) == ("run.completed", run.pk, begun.pk)
    assert came["queued_behind"] is None
    Run.objects.filter(pk=begun.pk).update(status="queued", place_at=0)
    [came] = alice.get(f"triggers/{trigger.pk}/deliveries/").json()["results"]
    assert came["queued_behind"] == 0
    assert len(alice.get("runs/?source=event").json()["results"]) == 1


def test_only_what_is_asked_for_starts_something(
    listen: Listen, ended: Callable[..., Run], people: People, other: Graph, graph: Graph
) -> None:
    third = graphs.import_graph(people.alice, {**DOCUMENT, "id": "third", "name": "Third"})
    graphs.publish(people.alice, third, revision=1)
    failing = listen("run.failed")
    one = listen("run.completed", workflow=third.pk)
    off = listen("run.completed")
    triggers.change(people.alice, off, triggers.Wanted(on=False))
    ended("completed")
    ended("completed", of=third)
    ended("completed", of=other)
    look()

    came = list(Delivery.objects.values_list("door", flat=True))
    assert came == [one.pk], f"{failing.pk} waits for failures, {off.pk} is off"


def test_a_rejection_is_no_failure(
    listen: Listen, ended: Callable[..., Run], door: FakeDoor
) -> None:
    listen("run.failed")
    run = ended("failed")
    HouseEvent.objects.all().delete()
    tell(run, "run.failed", run.pk, code="ApprovalRejected", rejected=True)
    look()
    assert not Delivery.objects.exists()

    tell(run, "run.failed", run.pk, code="HttpUnavailable")
    look()
    assert Delivery.objects.count() == 1


def test_a_workflow_is_not_started_by_its_own_end_nor_by_a_draft(
    listen: Listen, ended: Callable[..., Run], people: People, other: Graph, run: Run
) -> None:
    listen("run.completed")
    ended(of=other)
    tell(run, "run.completed", run.pk)
    look()
    assert not Delivery.objects.exists()

    asked = {"kind": "event", "config": {"on": ["run.failed"], "workflow": other.pk}}
    refused = Api(people.alice).post(f"graphs/{other.pk}/triggers/", asked)
    assert (refused.status_code, refused.json()["problems"][0]["path"]) == (400, "config.workflow")


def test_workflows_that_start_one_another_come_to_an_end(
    listen: Listen, ended: Callable[..., Run], graph: Graph, other: Graph, door: FakeDoor
) -> None:
    listen("run.completed", workflow=graph.pk)
    listen("run.completed", graph=graph, workflow=other.pk)
    ended()
    look()
    for n in range(DEEPEST + 3):
        if len(door.starts) <= n:
            break
        latest = Run.objects.get(pk=door.starts[n].run_id)
        if n == 2:  # the end of a run that this one called counts as its own
            child = ended(of=Graph.objects.get(pk=latest.graph_id), parent_run=latest.pk)
            assert child.parent_run == latest.pk
        else:
            tell(latest, "run.completed", latest.pk)
        look()

    assert len(door.starts) == DEEPEST
    [refused] = Delivery.objects.filter(state="refused")
    assert refused.code == "ChainTooLong"
    depths = Delivery.objects.filter(state="started").values_list("depth", flat=True)
    assert sorted(depths) == [1, 2, 3, 4, 5]


def test_an_item_that_waits_for_long_starts_one(
    listen: Listen, people: People, run: Run, door: FakeDoor, graph: Graph
) -> None:
    listen("item.waiting", minutes=30)
    graphs.publish(people.alice, graph, revision=1)
    Run.objects.filter(pk=run.pk).update(version=graph.versions.get(is_draft=False))
    Interrupt.objects.create(
        request_id="i1", run=run.pk, workspace=people.alice.workspace, key="review#1",
        node="review", kind="approval", status="open", opened_at=now_ms(), opened_seq=1,
    )  # fmt: skip
    before = len(door.starts)

    for minutes in (29, 31, 32, 61):
        note_waiting(CONSUMERS, now_ms() + minutes * MINUTE_MS)
        look(minutes * MINUTE_MS)

    [start] = door.starts[before:]
    assert (start.input["item"]["id"], start.input["item"]["minutes"]) == ("i1", 30)


def test_a_mark_and_a_decision_start_one_each(
    listen: Listen, ended: Callable[..., Run], people: People, other: Graph, door: FakeDoor
) -> None:
    run = ended("failed", of=other)
    listen("budget.mark", percent=90, mapping={"percent": "body.budget.percent"})
    listen("approval.decided", mapping={"by": "body.item.by.name"})
    for percent in (75, 90, 100):
        tell(run, "budget.mark", "workspace:b:total", percent=percent, level="workspace")
    decided = ended("cancelled")
    tell(decided, "approval.decided", "i1", decision="approved", by=people.bob.user_id)
    look()

    inputs = [start.input for start in door.starts]
    assert sorted(inputs, key=str) == [{"by": "Bob"}, {"percent": 90}]


def test_more_than_sixty_a_minute_wait_for_the_next_one(
    listen: Listen, ended: Callable[..., Run], door: FakeDoor
) -> None:
    listen("run.failed")
    for _ in range(house_events.A_MINUTE + 5):
        ended("failed")
    house.dispatch(CONSUMERS)
    rows = Delivery.objects.order_by("available_at")

    assert rows.filter(available_at__gt=now_ms()).count() == 5
    for row in rows:
        starting.begin(row)
    assert len(door.starts) == house_events.A_MINUTE + 5


def test_a_mapping_that_fails_is_told_and_starts_nothing(
    listen: Listen, ended: Callable[..., Run], door: FakeDoor
) -> None:
    listen("run.completed", mapping={"x": "body.run.result.nothing"})
    ended()
    look()

    [row] = Delivery.objects.all()
    assert (row.state, row.code, door.starts) == ("refused", "MappingFailed", [])


def test_again_starts_another_run_of_the_same_cause(
    listen: Listen, ended: Callable[..., Run], people: People, alice: Api
) -> None:
    listen("run.completed")
    run = ended()
    look()

    made = trying.again(people.alice, Delivery.objects.get())
    assert made.state == "started"
    assert alice.get(f"runs/{made.run}/").json()["cause"] == run.pk


@pytest.mark.parametrize(
    ("config", "path"),
    [
        ({}, "config.on"),
        ({"on": ["run.exploded"]}, "config.on"),
        ({"on": "run.failed"}, "config.on"),
        ({"on": ["item.waiting"], "minutes": 0}, "config.minutes"),
        ({"on": ["budget.mark"], "percent": 51}, "config.percent"),
        ({"on": ["run.failed"], "percent": 50}, "config.percent"),
        ({"on": ["run.failed"], "workflow": "elsewhere"}, "config.workflow"),
    ],
)
def test_what_there_is_not_is_refused_with_its_place(
    alice: Api, other: Graph, config: dict[str, Any], path: str
) -> None:
    refused = alice.post(f"graphs/{other.pk}/triggers/", {"kind": "event", "config": config})

    assert (refused.status_code, refused.json()["problems"][0]["path"]) == (400, path)


def test_a_workflow_of_another_workspace_is_not_watched(
    alice: Api, other: Graph, people: People
) -> None:
    theirs = graphs.import_graph(people.carol, {**DOCUMENT, "id": "theirs"})
    config = {"on": ["run.failed"], "workflow": theirs.pk}

    refused = alice.post(f"graphs/{other.pk}/triggers/", {"kind": "event", "config": config})
    assert refused.status_code == 400


@pytest.mark.parametrize("where", ["depth_of", "_take", "begin"])
def test_a_kill_anywhere_starts_one_run(
    where: str,
    listen: Listen,
    ended: Callable[..., Run],
    door: FakeDoor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between the event, its delivery and the start."""

    class Killed(BaseException):
        pass

    listen("run.completed")
    ended()
    module: Any = starting if where == "begin" else house_events
    work = getattr(module, where)

    def killed(*given: Any) -> Any:
        work(*given)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(module, where, killed)
        with pytest.raises(Killed):
            look()
    look(house.CLAIM_MS + starting.AGAIN_MS)

    assert (len(door.starts), Delivery.objects.get().state) == (1, "started")
