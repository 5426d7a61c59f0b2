"""When a notice is due: at once, hourly, daily, and never in quiet hours."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from builder.base.clock import now_ms
from builder.doors.telling.carrying import carrier
from builder.doors.telling.channels.hours import after_quiet, due_at
from builder.models import Channel, ChannelNotice, NoticeRule
from tests.builder.doors.telling.conftest import Happen, MakeChannel, MakeRule
from tests.builder.doors.telling.receiver import Receiver

BERLIN = "Europe/Berlin"


def at(text: str, zone: str = BERLIN) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def quiet(begin: int | None = None, end: int | None = None) -> Channel:
    return Channel(kind="slack", zone=BERLIN, quiet_from=begin, quiet_to=end)


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("at_once", "2026-11-24T10:20:00"),
        ("hourly", "2026-11-24T11:00:00"),
        ("daily", "2026-11-25T08:00:00"),
    ],
)
def test_a_rule_says_when(when: str, expected: str) -> None:
    rule = NoticeRule(when=when, at=480)

    assert due_at(rule, quiet(), at("2026-11-24T10:20:00")) == at(expected)


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-11-24T19:59:00", "2026-11-24T19:59:00"),
        ("2026-11-24T20:00:00", "2026-11-25T07:00:00"),
        ("2026-11-25T03:00:00", "2026-11-25T07:00:00"),
        ("2026-11-25T07:00:00", "2026-11-25T07:00:00"),
        # The night in which clocks are set forward, and the one in which they are set back.
        ("2026-03-29T01:30:00", "2026-03-29T07:00:00"),
        ("2026-10-24T23:00:00", "2026-10-25T07:00:00"),
    ],
)
def test_quiet_hours_over_midnight_end_in_the_morning(moment: str, expected: str) -> None:
    assert after_quiet(quiet(20 * 60, 7 * 60), at(moment)) == at(expected)


def test_quiet_hours_within_a_day() -> None:
    lunch = quiet(12 * 60, 13 * 60)

    assert after_quiet(lunch, at("2026-11-24T12:30:00")) == at("2026-11-24T13:00:00")
    assert after_quiet(lunch, at("2026-11-24T23:00:00")) == at("2026-11-24T23:00:00")


def test_a_program_is_told_at_once_whatever_the_hour() -> None:
    hook = quiet(0, 1439)
    hook.kind = "webhook"

    assert due_at(NoticeRule(when="at_once"), hook, at("2026-11-24T03:00:00")) == at(
        "2026-11-24T03:00:00"
    )


def test_what_was_held_comes_as_one_message_after_the_quiet_hours(
    receiver: Receiver, channel: MakeChannel, rule: MakeRule, happen: Happen
) -> None:
    row = channel(quiet=(0, 1439), zone="UTC")
    rule(row, "budget.mark")
    for percent in (50, 75):
        happen("budget.mark", None, f"b{percent}", percent=percent, level="workspace")

    held = ChannelNotice.objects.order_by("at").values_list("available_at", flat=True)
    assert carrier.carry(now_ms()) == 0
    assert carrier.carry(max(held)) == 2
    assert receiver.came[0].json["text"].count("The budget of the workspace") == 2
