"""The operators' dashboard: runs over time, the queue, what is waited for, alarms, breakers."""

from __future__ import annotations

import csv
import itertools
from typing import Any

import pytest

from builder.base import clock
from builder.models import Activation, AuditEntry, Breaker, Graph, Run, RunEvent, Timer, Worker
from builder.services.audit import chain as audit
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.conftest import Api, People
from tests.builder.fakes import append, open_interrupt

MINUTE = 60_000
HOUR = 60 * MINUTE
_numbers = itertools.count(1_000)  # others are numbered from 1 on


def ended(people: People, status: str, *, ago: int, ms: int = 1000, **fields: Any) -> Run:
    """A run of Alice's workspace that ended so many milliseconds ago."""
    end = clock.now_ms() - ago
    return Run.objects.create(
        id=f"run-{next(_numbers)}",
        workspace=people.alice.workspace,
        graph_slug="support",
        status=status,
        started_at=end - ms,
        ended_at=end,
        **fields,
    )


def live(people: People, status: str, *, heard: int, **fields: Any) -> Run:
    """A run that is not over and whose last event was written so many milliseconds ago."""
    number = next(_numbers)
    run = Run.objects.create(
        id=f"run-{number}",
        workspace=people.alice.workspace,
        graph_slug="support",
        status=status,
        started_at=clock.now_ms() - heard,
        number=number,
        **fields,
    )
    event = append(run, "NodeQueued", key="draft#1")
    event.at = clock.now_ms() - heard
    event.save()
    return run


def test_ended_runs_are_counted_and_compared(people: People, alice: Api) -> None:
    for n in range(1, 21):
        ended(people, "completed", ago=n * MINUTE, ms=n * 1000)
    ended(people, "failed", ago=HOUR)
    ended(people, "cancelled", ago=HOUR, ms=7 * 24 * HOUR)
    ended(people, "timeout", ago=30 * HOUR, ms=7000)
    seen = alice.get("operations/").json()

    total, before = seen["total"], seen["before"]
    assert (total["completed"], total["failed"], total["cancelled"]) == (20, 1, 1)
    assert total["success_rate"] == round(20 / 21, 4)
    assert (total["p50_ms"], total["p95_ms"]) == (10_000, 19_000)
    assert (before["timeout"], before["p50_ms"], before["success_rate"]) == (1, 7000, 0)
    assert len(seen["bars"]) == 24
    assert sum(bar["completed"] for bar in seen["bars"]) == 20


def test_a_run_of_which_all_waits_for_a_moment_is_not_under_way(people: People, alice: Api) -> None:
    sleeping, half = (live(people, "running", heard=MINUTE) for _ in range(2))
    due = clock.now_ms() + 24 * HOUR
    for run in (sleeping, half):
        first = (run.number or 0) * EVENTS_PER_RUN
        Activation.objects.create(place=first, key="m#1", node="m", status="running")
        Activation.objects.create(place=first + 1, key="m#1/w[0]#1", node="w", status="running")
        Timer.objects.create(
            id=f"{run.pk}:t", run=run.pk, key="m#1/w[0]#1", kind="sleep", fire_at=due
        )
    at = (half.number or 0) * EVENTS_PER_RUN + 2
    Activation.objects.create(place=at, key="b#1", node="b", status="running")

    rows = {row["id"]: row for row in alice.get("runs/?status=running").json()["results"]}
    awake = alice.get("runs/?status=running&awake=true").json()["results"]
    asleep = alice.get("runs/?asleep=true").json()["results"]
    counts = alice.get("overview/").json()["runs"]
    lines = list(csv.DictReader(alice.get("runs/?format=csv").content.decode().splitlines()))
    until = {line["run"]: line["sleeps_until"] for line in lines}

    assert [row["id"] for row in asleep] == [sleeping.pk]
    assert until == {sleeping.pk: rows[sleeping.pk]["waits_until"], half.pk: ""}
    assert rows[sleeping.pk]["waits_until"] is not None
    assert rows[half.pk]["waits_until"] is None
    assert [row["id"] for row in awake] == [half.pk]
    assert (counts["running"], counts["asleep"]) == (1, 1)
    assert alice.get("operations/").json()["queue"]["running"] == 2


def test_a_step_whose_called_runs_wait_for_people_is_not_under_way(
    people: People, alice: Api
) -> None:
    whole = live(people, "waiting", heard=MINUTE)
    place = (whole.number or 0) * EVENTS_PER_RUN
    Activation.objects.create(place=place, key="each#1", node="each", status="running")

    assert alice.get("operations/").json()["queue"]["running"] == 0


def test_a_longer_stretch_has_longer_bars_and_one_workflow_can_be_chosen(
    people: People, alice: Api, graph: Graph
) -> None:
    ended(people, "completed", ago=30 * HOUR, graph=graph)
    ended(people, "completed", ago=30 * HOUR)
    week = alice.get("operations/?hours=168").json()
    one = alice.get(f"operations/?hours=168&graph={graph.pk}").json()

    assert (week["bar_ms"], len(week["bars"])) == (6 * HOUR, 28)
    assert week["total"]["completed"] == 2
    assert one["total"]["completed"] == 1
    assert one["before"]["p50_ms"] is None


def test_retries_are_counted_from_the_logs_of_the_runs_that_began(
    people: People, alice: Api
) -> None:
    run = live(people, "running", heard=0)
    append(run, "AttemptFailed", key="draft#1")
    append(run, "AttemptFailed", key="draft#1")
    old = ended(people, "failed", ago=50 * HOUR)
    append(old, "AttemptFailed", key="draft#1")

    assert alice.get("operations/").json()["total"]["retries"] == 2


def test_the_queue_tells_depth_and_age(people: People, alice: Api) -> None:
    run = live(people, "running", heard=5 * MINUTE)
    home = (run.number or 0) * EVENTS_PER_RUN
    Activation.objects.create(place=home, key="draft#1", node="draft", status="queued")
    Activation.objects.create(place=home + 1, key="check#1", node="check", status="running")
    Activation.objects.create(
        place=home + 99 * EVENTS_PER_RUN, key="x#1", node="x", status="queued"
    )
    queue = alice.get("operations/").json()["queue"]

    assert (queue["depth"], queue["running"], queue["retrying"]) == (1, 1, 0)
    assert 5 * MINUTE <= queue["oldest_ms"] < 6 * MINUTE


def test_waits_are_told_by_what_is_waited_for(people: People, alice: Api, run: Run) -> None:
    open_interrupt(run)
    open_interrupt(run, "budget")
    waiting = live(people, "waiting", heard=0)
    Timer.objects.create(id="t", run=waiting.pk, kind="sleep", fire_at=clock.now_ms() + HOUR)
    live(people, "running", heard=0, parent_run=waiting.pk)
    waits = {row["kind"]: row for row in alice.get("operations/").json()["waits"]}

    assert set(waits) == {"approval", "budget", "sleep", "child_run"}
    assert waits["approval"]["since"] is not None
    assert waits["sleep"]["due"] is not None


def test_a_run_that_should_have_moved_is_an_alarm(people: People, alice: Api) -> None:
    late = live(people, "waiting", heard=HOUR)
    Timer.objects.create(id="t", run=late.pk, kind="retry", fire_at=clock.now_ms() - 2 * MINUTE)
    silent = live(people, "running", heard=20 * MINUTE)
    live(people, "running", heard=MINUTE)
    live(people, "waiting", heard=HOUR)
    parent = live(people, "running", heard=HOUR)
    live(people, "running", heard=0, parent_run=parent.pk)
    alarms = alice.get("operations/").json()["alarms"]

    assert {(alarm["runs"][0]["id"], alarm["count"], alarm["why"]) for alarm in alarms} == {
        (late.pk, 1, "timer_overdue"),
        (silent.pk, 1, "silent"),
    }


def asleep(people: People, kind: str, *, due: int) -> Run:
    """A run with one live activation that waits for a timer, heard of an hour ago."""
    run = live(people, "running", heard=HOUR)
    Activation.objects.create(
        place=(run.number or 0) * EVENTS_PER_RUN, key="wait#1", node="wait", status="running"
    )
    fire_at = clock.now_ms() + due
    Timer.objects.create(
        id=f"{run.pk}:{kind}", run=run.pk, key="wait#1", kind=kind, fire_at=fire_at
    )
    return run


def stuck(api: Api) -> list[tuple[str, str, int]]:
    found = api.get("operations/").json()["alarms"]
    return [(group["graph"], group["why"], group["count"]) for group in found]


@pytest.mark.parametrize("kind", ["sleep", "retry"])
def test_a_wait_for_a_moment_that_is_to_come_is_no_alarm(
    people: People, alice: Api, kind: str
) -> None:
    run = asleep(people, kind, due=HOUR)
    assert stuck(alice) == []

    Activation.objects.create(
        place=(run.number or 0) * EVENTS_PER_RUN + 1, key="other#1", node="other", status="running"
    )
    assert stuck(alice) == [("support", "silent", 1)]


def test_a_deadline_alone_excuses_nobody(people: People, alice: Api) -> None:
    asleep(people, "deadline", due=HOUR)

    assert stuck(alice) == [("support", "silent", 1)]


@pytest.mark.parametrize("kind", ["approval", "budget"])
def test_a_wait_for_a_person_or_money_below_a_composite_is_no_alarm(
    people: People, alice: Api, kind: str
) -> None:
    run = live(people, "running", heard=HOUR)
    for slot, key in enumerate(("map#1", "map#1/review[0]#1")):
        place = (run.number or 0) * EVENTS_PER_RUN + slot
        Activation.objects.create(place=place, key=key, node=key, status="running")
    row = open_interrupt(run, kind)
    row.key = "map#1/review[0]#1"
    row.save()
    RunEvent.objects.update(at=clock.now_ms() - HOUR)

    assert stuck(alice) == []


def test_alarms_of_one_workflow_are_one_line(people: People, alice: Api) -> None:
    for _ in range(22):
        live(people, "running", heard=HOUR)

    assert stuck(alice) == [("support", "silent", 22)]
    [group] = alice.get("operations/").json()["alarms"]
    assert len(group["runs"]) == 20


def test_workers_are_named_to_operators_alone(people: People, alice: Api, olga: Api) -> None:
    now = clock.now_ms()
    Worker.objects.create(boot_id="a", host="box", pid=7, started_at=now, last_seen_at=now)
    Worker.objects.create(boot_id="b", host="old", pid=8, started_at=0, last_seen_at=now - HOUR)

    shown = [
        (w["id"], w["host"], w["pid"], w["alive"])
        for w in olga.get("operations/").json()["workers"]
    ]
    assert shown == [("a", "box", 7, True), ("b", "old", 8, False)]
    assert {(w["host"], w["pid"]) for w in alice.get("operations/").json()["workers"]} == {
        ("", None)
    }


def test_processes_tell_what_they_do_and_have_in_hand(
    people: People, alice: Api, olga: Api
) -> None:
    now = clock.now_ms()
    for kind in ("web", "worker"):
        at = {"started_at": now, "last_seen_at": now}
        Worker.objects.create(boot_id=kind, pid=7, kind=kind, version="1.2", **at)
    Worker.objects.filter(kind="worker").update(draining=True)
    for owner, status in (("worker", "running"), ("worker", "completed"), (None, "waiting")):
        live(people, status, heard=0, owner=owner)

    def shown(api: Api) -> Any:
        found = api.get("workers/").json()
        return found["resting"], {
            w["kind"]: (w["version"], w["draining"], w["runs"]) for w in found["results"]
        }

    assert shown(olga) == (1, {"web": ("1.2", False, 0), "worker": ("1.2", True, 1)})
    assert shown(alice) == (None, {"web": ("1.2", False, None), "worker": ("1.2", True, None)})


def test_what_a_process_has_in_hand_is_listed_by_it(people: People, olga: Api, alice: Api) -> None:
    now = clock.now_ms()
    for name in ("one", "two"):
        Worker.objects.create(boot_id=name, pid=7, kind="worker", started_at=now, last_seen_at=now)
    for owner, status in (("one", "running"), ("one", "queued"), ("one", "completed")):
        live(people, status, heard=0, owner=owner)
    live(people, "waiting", heard=0, owner=None)
    of_others = live(people, "running", heard=0, owner="one")
    Run.objects.filter(pk=of_others.pk).update(workspace=people.carol.workspace)

    def listed(api: Api, worker: str) -> int:
        return len(api.get(f"runs/?worker={worker}").json()["results"])

    for api in (olga, alice):
        found = api.get("workers/").json()
        rows = {worker["id"]: worker["runs_here"] for worker in found["results"]}
        assert rows == {"one": 2, "two": 0}
        assert {name: listed(api, name) for name in rows} == rows
        assert (found["held_here"], listed(api, "any")) == (2, 2)
        assert (found["resting_here"], listed(api, "-")) == (1, 1)
    [one, _] = sorted(olga.get("workers/").json()["results"], key=lambda row: str(row["id"]))
    assert one["runs"] == 3
    assert olga.get("operations/").json()["workers"][0]["runs_here"] == 2


def test_bars_can_be_had_as_a_file(people: People, alice: Api) -> None:
    ended(people, "failed", ago=0)
    answer = alice.get("operations/?format=csv")
    lines = answer.content.decode().splitlines()

    assert answer["Content-Type"].startswith("text/csv")
    assert lines[0] == "from,completed,failed,timeout,cancelled,rejected"
    assert lines[-1].endswith(",0,1,0,0,0")


@pytest.mark.parametrize("query", ["hours=0", "hours=99999", "format=pdf"])
@pytest.mark.parametrize("board", ["operations", "approvals"])
def test_a_stretch_that_is_none_is_refused(alice: Api, board: str, query: str) -> None:
    assert alice.get(f"{board}/?{query}").json()["code"] == "InputInvalid"


@pytest.fixture
def breaker(people: People, graph: Graph) -> Breaker:
    """An open breaker of Alice's graph."""
    return Breaker.objects.create(
        id="cd" * 32,
        workspace=people.alice.workspace,
        node=f"{graph.slug}/draft",
        target="add",
        state="open",
        failures=5,
        opened_at=clock.now_ms(),
    )


def test_open_breakers_are_listed_and_reset_by_operators(
    people: People, breaker: Breaker, alice: Api
) -> None:
    """C29: An operator closes an open circuit; it is in the audit log."""
    Breaker.objects.create(id="ef" * 32, workspace=people.alice.workspace, node="support/x")
    listed = alice.get("breakers/").json()
    assert [(b["graph"]["name"], b["node"], b["state"]) for b in listed["results"]] == [
        ("Support", "draft", "open")
    ]
    assert listed["can_reset"] is False
    assert len(alice.get("breakers/?state=all").json()["results"]) == 2
    assert alice.post(f"breakers/{breaker.pk}/reset/").status_code == 403

    answer = Api(people.oscar).post(f"breakers/{breaker.pk}/reset/")
    assert (answer.status_code, answer.json()["state"]) == (200, "closed")
    assert alice.get("breakers/").json()["results"] == []
    action = audit.read(AuditEntry.objects.order_by("-n")[0])
    assert (action["action"], action["target"]) == ("breaker.reset", "support/draft")
