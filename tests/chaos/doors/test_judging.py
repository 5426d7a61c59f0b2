"""The judge of the doors is not blind: each fault, fed to it as facts, counts where it belongs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.chaos.doors.judging import doors_broken, slots
from tests.chaos.facts import Fact


def came(door: str, key: str, by: str) -> Fact:
    return {"what": "came", "door": door, "key": key, "idempotency_key": by}


def taken(key: str, run: str, door: str = "webhook") -> Fact:
    return {"what": "taken", "door": door, "key": key, "run": run}


def ran(run: str, flow: str = "rang", status: str = "completed") -> Fact:
    return {"what": "door_run", "run": run, "flow": flow, "status": status, "source": "webhook"}


def told(name: str, run: str) -> Fact:
    return {"what": "told", "id": name, "run": run, "type": "run.completed"}


def notice(name: str, run: str, state: str = "sent") -> Fact:
    return {"what": "notice", "id": name, "run": run, "state": state, "tries": 1}


FIRST = "2026-11-24T12:00:00.000Z"
UNTIL = 1795521620.0  # 20 s after FIRST
RECORDED: list[Fact] = [
    came("webhook", "w1", "k1"),
    came("webhook", "w1", "k1"),
    came("schedule", FIRST, "k2"),
    came("event", "r1", "k3"),
    came("event", "r2", "k4"),
    told("n1", "r1"),
    told("n1", "r1"),
    told("n2", "r2"),
]
ANSWERED: list[Fact] = [
    taken("w1", ""),
    taken("w1", "r1"),
    {"what": "schedule", "first": FIRST, "until": UNTIL},
    ran("r1"),
    ran("r2"),
    ran("r3", "follows"),
    ran("r4", "follows"),
    notice("n1", "r1"),
    notice("n2", "r2"),
]


def broken(recorded: list[Fact], answered: list[Fact]) -> list[str]:
    return [zero for zero, _where in doors_broken(recorded, answered)]


def test_a_good_day_is_all_zeros() -> None:
    assert broken(RECORDED, ANSWERED) == []


FAULTS: dict[str, tuple[str, list[Fact], list[Fact]]] = {
    "what was taken is lost": ("deliveries_lost", [], [taken("w2", "")]),
    "a due time is left out": (
        "deliveries_lost",
        [],
        [{"what": "schedule", "first": FIRST, "until": UNTIL + 60}],
    ),
    "an end starts nothing": ("deliveries_lost", [told("n5", "r5")], [ran("r5")]),
    "a run of a door does not end": ("deliveries_lost", [], [ran("r4", "follows", "running")]),
    "one id makes two runs": ("started_twice", [came("webhook", "w1", "k9")], []),
    "one id is answered with two runs": ("started_twice", [], [taken("w1", "r2")]),
    "a run too many": ("started_twice", [], [ran("r9", "follows")]),
    "an end that was none": ("started_twice", [came("event", "r8", "k8")], []),
    "nobody is told": ("notices_lost", [came("event", "r5", "k5")], [ran("r5")]),
    "told under two ids": ("notices_doubled", [told("n9", "r1")], []),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_seen(name: str) -> None:
    zero, recorded, answered = FAULTS[name]

    assert zero in broken([*RECORDED, *recorded], [*ANSWERED, *answered])


@pytest.mark.parametrize("change", [{"state": "waiting"}, {"state": "failed"}])
def test_a_notice_that_is_not_marked_is_seen(change: dict[str, Any]) -> None:
    answered = [*ANSWERED[:-1], {**notice("n2", "r2"), **change}]

    assert broken(RECORDED, answered) == ["notices_lost"]


def test_the_minutes_that_are_due() -> None:
    assert list(slots(FIRST, UNTIL + 60)) == [FIRST, "2026-11-24T12:01:00.000Z"]
    assert list(slots(FIRST, UNTIL - 60)) == []
