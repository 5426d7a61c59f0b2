"""Schedules: when they are due, and that each due time starts one run, however late and by whom."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from builder.base.errors import InvalidInput
from builder.doors.triggers import schedules, starting, times
from builder.doors.triggers import verbs as triggers
from builder.models import Delivery, Graph, Run, Trigger
from builder.services.graphs import graphs
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor

HOUR = 3_600_000
BERLIN = "Europe/Berlin"
Planned = Callable[..., Trigger]


def at(text: str, zone: str = BERLIN) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def local(found: list[int]) -> list[str]:
    shown = [datetime.fromtimestamp(one / 1000, ZoneInfo(BERLIN)) for one in found]
    return [f"{one:%d %H:%M %z}" for one in shown]


@pytest.fixture
def planned(people: People, graph: Graph) -> Planned:
    """Return what makes an hourly schedule that was last looked at `hours` ago."""
    graphs.publish(people.alice, graph, revision=1)

    def make(missed: str = "once", *, hours: float = 0, **wanted: object) -> Trigger:
        config = {"cron": "0 * * * *", "zone": BERLIN, "missed": missed}
        asked = triggers.Wanted(name="Hourly", config=config, on=True, kind="schedule", **wanted)  # type: ignore[arg-type]
        row, secret = triggers.create(people.alice, graph, asked)
        assert secret is None
        assert row.next_at is not None
        row.next_at -= int(hours) * HOUR
        row.save()
        return row

    return make


def test_a_line_of_hours_runs_once_where_clocks_change() -> None:
    spring = times.next_times("30 2 * * *", BERLIN, at("2026-03-28T12:00"), 2)
    autumn = times.next_times("30 2 * * *", BERLIN, at("2026-10-24T12:00"), 2)
    often = times.next_times("*/30 * * * *", BERLIN, at("2026-10-25T01:45"), 5)

    assert local(spring) == ["29 03:00 +0200", "30 02:30 +0200"]
    assert local(autumn) == ["25 02:30 +0200", "26 02:30 +0100"]
    assert local(often)[:4] == [
        "25 02:00 +0200",
        "25 02:30 +0200",
        "25 02:00 +0100",
        "25 02:30 +0100",
    ]


@pytest.mark.parametrize("cron", ["30 2 * * *", "*/30 * * * *", "0 8 * * 1-5", "15 4 1 * *"])
@pytest.mark.parametrize("begin", ["2026-03-25T12:00", "2026-10-22T12:00"])
def test_looking_back_finds_what_looking_ahead_promised(cron: str, begin: str) -> None:
    since = at(begin)
    ahead = times.next_times(cron, BERLIN, since - 1000, 400)
    until = since + 7 * 24 * HOUR

    assert times.last_times(cron, BERLIN, since, until, 1000) == [t for t in ahead if t <= until]


@pytest.mark.parametrize(
    ("cron", "zone", "path", "said"),
    [
        ("* * * * * *", "UTC", "config.cron", "five fields"),
        ("@daily", "UTC", "config.cron", "five fields"),
        ("61 * * * *", "UTC", "config.cron", "minute: `61` is not one; it takes 0 to 59"),
        ("0 24 * * *", "UTC", "config.cron", "hour: `24`"),
        ("0 0 L-1 * *", "UTC", "config.cron", "day: `L-1`"),
        ("0 0 * Smarch *", "UTC", "config.cron", "month: `Smarch` is not one; it takes 1 to 12 or"),
        ("0 0 * * 8", "UTC", "config.cron", "weekday: `8`"),
        (f"*/{'9' * 100} * * * *", "UTC", "config.cron", "minute: `*/9"),
        ("0 */25 * * *", "UTC", "config.cron", "hour: `*/25`"),
        ("0 0 30 2 *", "UTC", "config.cron", "this never comes"),
        ("0 * * * *", "Mars/Olympus", "config.zone", "time zone"),
        ("0 * * * *", "localtime", "config.zone", "time zone"),
        ("0 * * * *", "Factory", "config.zone", "time zone"),
        (7, "UTC", "config.cron", "five fields"),
    ],
)
def test_what_is_no_time_is_told_with_its_place(
    cron: object, zone: str, path: str, said: str
) -> None:
    with pytest.raises(InvalidInput, match=re.escape(said)) as wrong:
        times.check(cron, zone)

    assert wrong.value.problems is not None
    assert wrong.value.problems[0]["path"] == path


@pytest.mark.parametrize(
    "cron", ["*/15 8-17 * * MON-FRI", "0 0 L * *", "0 9 1,15 jan-jun *", "59 23 31 12 7"]
)
def test_what_people_write_is_taken(cron: str) -> None:
    assert times.check(cron, "America/Argentina/Buenos_Aires")[0] == cron


def test_what_is_due_starts_a_run_that_says_when(planned: Planned, door: FakeDoor) -> None:
    row = planned(mapping={"at": "body.due"})
    assert row.next_at is not None

    assert schedules.fire_due(row.next_at - 1) == 0
    assert schedules.fire_due(row.next_at + 500) == 1
    assert schedules.fire_due(row.next_at + 1000) == 0

    assert door.starts[0].source == "schedule"
    delivery = Delivery.objects.get()
    assert delivery.key == f"due:{door.starts[0].input['at']}"
    assert Trigger.objects.get().next_at == row.next_at + HOUR


def test_two_processes_fire_it_once(planned: Planned, door: FakeDoor) -> None:
    row = planned()
    assert row.next_at is not None
    mine, theirs = Trigger.objects.get(), Trigger.objects.get()

    fired = [schedules.fire(mine, row.next_at + 1), schedules.fire(theirs, row.next_at + 1)]

    assert [len(rows) for rows in fired] == [1, 0]


def test_a_process_that_dies_after_the_commit_leaves_it_to_the_scan(
    planned: Planned, door: FakeDoor
) -> None:
    row = planned()
    assert row.next_at is not None
    now = row.next_at + 1

    schedules.fire(row, now)
    assert schedules.fire_due(now + 1000) == 0
    assert starting.begin_due(now + starting.FIRST_WAIT_MS) == 1

    assert Run.objects.count() == len(door.starts) == 1


@pytest.mark.parametrize(
    ("policy", "runs", "told"),
    [
        ("skip", 0, "missed 5 times, the last at "),
        ("once", 1, ""),
        ("all", 5, ""),
    ],
)
def test_what_was_due_while_nobody_was_there_follows_the_policy(
    planned: Planned, door: FakeDoor, policy: str, runs: int, told: str
) -> None:
    row = planned(policy, hours=5)
    assert row.next_at is not None
    now = row.next_at + 4 * HOUR + 2 * 60_000

    assert schedules.fire_due(now) == runs

    assert len(door.starts) == runs
    refused = Delivery.objects.filter(state="refused").values_list("reason", flat=True)
    assert [text[: len(told)] for text in refused] == ([told] if told else [])
    if policy == "once":
        assert door.starts[0].input["missed"] == 5
    assert Trigger.objects.get().next_at == row.next_at + 5 * HOUR


def test_a_hundred_missed_times_are_the_most(planned: Planned, door: FakeDoor) -> None:
    row = planned("all", hours=150)
    assert row.next_at is not None

    schedules.fire_due(row.next_at + 149 * HOUR + 2 * 60_000)

    assert len(door.starts) == 100
    assert Delivery.objects.get(state="refused").reason.startswith("missed 50 times")


def test_years_of_missed_minutes_are_counted_quickly(planned: Planned, door: FakeDoor) -> None:
    row = planned("skip")
    assert row.next_at is not None
    Trigger.objects.update(config={**row.config, "cron": "* * * * *"}, next_at=0)

    schedules.fire_due(row.next_at)

    assert "1000 or more" in Delivery.objects.filter(state="refused")[0].reason


def test_what_is_off_is_not_due(planned: Planned, people: People, door: FakeDoor) -> None:
    row = planned()
    due = row.next_at
    assert due is not None
    off = triggers.change(people.alice, row, triggers.Wanted(on=False))

    assert off.next_at is None
    assert schedules.fire_due(due + 1) == 0
    on = triggers.change(people.alice, off, triggers.Wanted(on=True))
    assert on.next_at == due


def test_the_next_five_times_are_told(planned: Planned, alice: Api) -> None:
    row = planned()

    shown = alice.get(f"triggers/{row.pk}/").json()["due"]
    asked = alice.get("triggers/due/?cron=30 8 * * 1-5&zone=Europe/Berlin").json()["due"]

    assert len(shown) == len(asked) == 5
    assert alice.get("triggers/due/?cron=x").json()["problems"][0]["path"] == "config.cron"
    assert alice.post(f"triggers/{row.pk}/secret/").json()["code"] == "NoSecret"
