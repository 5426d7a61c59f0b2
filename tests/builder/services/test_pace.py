"""One caller does not take the server from all others."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from builder.base.bells import Frame, Hub
from builder.base.errors import TooMany
from builder.process.apart.wire import MAX_BYTES
from builder.services.people import pace
from builder.services.people.pace import Pace, caller_of
from tests.e2e.server import wait_until


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def taken(of: Pace, caller: str, wanted: int) -> int:
    """Ask until refused, at most so often; return how often that went well."""
    for done in range(wanted):
        try:
            of.take(caller)
        except TooMany:
            return done
    return wanted


def test_ten_seconds_worth_may_come_at_once_and_then_as_many_as_time_gives() -> None:
    clock = Hands()
    of = Pace(60, clock)

    assert taken(of, "ann", 100) == 10
    clock.now += 3.5
    assert taken(of, "ann", 100) == 3
    clock.now += 3_600
    assert taken(of, "ann", 100) == 10


def test_who_is_refused_hears_when_it_is_worth_another_try() -> None:
    clock = Hands()
    of = Pace(6, clock)
    assert taken(of, "ann", 100) == 1

    clock.now += 2.5
    with pytest.raises(TooMany) as refused:
        of.take("ann")

    assert (refused.value.code, refused.value.retry_after_s) == ("TooManyRequests", 8)
    clock.now += 8
    of.take("ann")


def test_one_caller_takes_nothing_from_another() -> None:
    of = Pace(60, Hands())
    ann, bot = caller_of("u1", None), caller_of("u1", 7)

    assert (taken(of, ann, 100), taken(of, bot, 100)) == (10, 10)


def test_zero_is_no_limit() -> None:
    assert taken(Pace(0, Hands()), "ann", 5_000) == 5_000


def test_threads_together_get_no_more() -> None:
    of, got = Pace(600, Hands()), list[int]()
    threads = [threading.Thread(target=lambda: got.append(taken(of, "ann", 90))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(got) == 100


def test_ten_thousand_callers_are_remembered_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "MAX_CALLERS", 100)
    clock = Hands()
    of = Pace(60, clock)
    for number in range(100):
        of.take(f"early {number}")
    clock.now += 5  # these have full buckets again, and are forgotten first
    for number in range(250):
        of.take(f"late {number}")

    assert len(of._buckets) <= 100
    assert "late 249" in of._buckets


class Process:
    """A process that serves people, with a hub and a pace of its own."""

    def __init__(self, clock: Hands) -> None:
        self.hub, self.pace = Hub(), Pace(60, clock)


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def two(clock: Hands) -> Iterator[tuple[Process, Process]]:
    """Two processes that hear each other, as the wire carries it: in JSON."""
    first, second = Process(clock), Process(clock)

    def carry(to: Process) -> Any:
        def abroad(topic: str, frame: Frame | None) -> None:
            text = json.dumps([topic, frame])
            assert len(text) < MAX_BYTES
            to.hub.hear(*json.loads(text))

        return abroad

    first.hub.abroad, second.hub.abroad = carry(second), carry(first)
    with first.pace.among_others(first.hub, 3_600), second.pace.among_others(second.hub, 3_600):
        yield first, second


def both_tell(two: tuple[Process, Process]) -> None:
    for each in two:
        each.pace._tell(each.hub)


def test_who_asks_two_processes_gets_no_more_than_at_one(
    two: tuple[Process, Process], clock: Hands
) -> None:
    first, second = two
    assert taken(first.pace, "ann", 7) == 7
    both_tell(two)
    assert taken(second.pace, "ann", 100) == 3
    both_tell(two)
    got = 0
    for _ in range(60):
        clock.now += 1
        got += taken(first.pace, "ann", 9) + taken(second.pace, "ann", 9)
        both_tell(two)
    assert 50 <= got <= 70
    assert taken(second.pace, "bob", 100) == 10


def test_what_two_let_in_before_they_knew_is_waited_for(
    two: tuple[Process, Process], clock: Hands
) -> None:
    first, second = two
    assert taken(first.pace, "ann", 100) + taken(second.pace, "ann", 100) == 20
    both_tell(two)
    clock.now += 10
    with pytest.raises(TooMany) as refused:
        first.pace.take("ann")
    assert refused.value.retry_after_s == 1
    clock.now += 1
    assert taken(first.pace, "ann", 100) == 1


def test_a_thousand_callers_are_told_of_in_notices_that_are_carried(
    two: tuple[Process, Process],
) -> None:
    first, second = two
    callers = [f"token:{uuid.uuid4()}" for _ in range(1_000)]
    for caller in callers:
        taken(first.pace, caller, 10)
    both_tell(two)

    assert all(taken(second.pace, caller, 1) == 0 for caller in callers)


def test_a_process_alone_tells_nobody_and_keeps_nothing_to_tell(clock: Hands) -> None:
    of = Pace(60, clock)
    taken(of, "ann", 5)
    assert not of._untold


def test_processes_tell_each_other_by_themselves(clock: Hands) -> None:
    said: list[Frame | None] = []
    one = Process(clock)
    one.hub.abroad = lambda _topic, frame: said.append(frame)
    with one.pace.among_others(one.hub, 0.01):
        taken(one.pace, "ann", 2)
        wait_until(lambda: bool(said), "word of what was let in")
    assert said == [{"ann": 2}]
