"""Periods of budgets: where days, weeks and months begin on a clock on the wall."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from engine.core.budgets.periods import TOTAL, period_at

BERLIN = ZoneInfo("Europe/Berlin")
HOUR = 3_600_000


def at(text: str, zone: ZoneInfo = BERLIN) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=zone).timestamp() * 1000)


@pytest.mark.parametrize(
    ("kind", "moment", "name", "first", "after"),
    [
        ("day", "2026-11-22T23:59:59", "2026-11-22", "2026-11-22", "2026-11-23"),
        ("day", "2026-11-23T00:00:00", "2026-11-23", "2026-11-23", "2026-11-24"),
        ("week", "2026-11-22T23:59:59", "2026-W47", "2026-11-16", "2026-11-23"),
        ("week", "2027-01-01T12:00:00", "2026-W53", "2026-12-28", "2027-01-04"),
        ("month", "2026-12-31T23:59:59", "2026-12", "2026-12-01", "2027-01-01"),
        ("month", "2028-02-29T00:00:00", "2028-02", "2028-02-01", "2028-03-01"),
    ],
)
def test_a_period_is_the_walls(kind: str, moment: str, name: str, first: str, after: str) -> None:
    found = period_at(kind, BERLIN, at(moment))

    assert (found.name, found.starts_at, found.ends_at) == (name, at(first), at(after))
    assert found.holds(at(moment))
    assert not found.holds(at(after))


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25)])
def test_a_day_on_which_clocks_change_is_shorter_or_longer(day: str, hours: int) -> None:
    found = period_at("day", BERLIN, at(f"{day}T12:00:00"))

    assert found.starts_at is not None
    assert found.ends_at is not None
    assert found.ends_at - found.starts_at == hours * HOUR
    assert found.share(found.starts_at + HOUR) == pytest.approx(1 / hours)


def test_the_same_moment_is_another_day_elsewhere() -> None:
    moment = at("2026-11-22T23:30:00", ZoneInfo("UTC"))

    assert period_at("day", ZoneInfo("UTC"), moment).name == "2026-11-22"
    assert period_at("day", ZoneInfo("Asia/Tokyo"), moment).name == "2026-11-23"


def test_the_total_never_ends() -> None:
    assert period_at("total", BERLIN, 0) is TOTAL
    assert TOTAL.holds(2**53)
    assert TOTAL.share(0) is None
