"""One caller does not take the server from all others."""

from __future__ import annotations

import threading

import pytest

from builder.base.errors import TooMany
from builder.services.people import pace
from builder.services.people.pace import Pace, caller_of


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
