"""One's own account: the name, the time zone that mails follow, how pages look; and the hour of mail once a day."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from builder.base.clock import now_ms
from builder.models import Channel, Interrupt, Membership, Notice, Run
from builder.services.mail.notifications import Rhythm, told_at
from tests.builder.conftest import Api, People
from tests.builder.fakes import open_interrupt

HERE = "Asia/Tokyo"


def clock(at: int, zone: str) -> str:
    return f"{datetime.fromtimestamp(at / 1000, ZoneInfo(zone)):%H:%M}"


def me(api: Api) -> dict[str, Any]:
    return dict(api.get("session/").json()["user"])


def test_zone_and_theme_are_kept_with_the_person(bob: Api, people: People) -> None:
    assert (me(bob)["zone"], me(bob)["theme"]) == ("", None)
    changed = bob.patch("profile/", {"zone": HERE, "theme": "dark"})
    assert (changed.status_code, changed.json()["zone"]) == (200, HERE)
    assert me(Api(people.bob)) | {"name": "Bob", "zone": HERE, "theme": "dark"} == me(bob)
    changed = bob.patch("profile/", {"zone": ""}).json()
    assert (changed["zone"], changed["theme"]) == ("", "dark")
    assert bob.patch("profile/", {}).json()["code"] == "InputInvalid"
    assert bob.patch("profile/", {"name": " Bobby "}).json()["name"] == "Bobby"


@pytest.mark.parametrize(
    "body",
    [
        {"zone": "Mars/Base"},
        {"zone": "../etc"},
        {"theme": "pink"},
        {"name": "  "},
        {"zone": "x" * 65},
    ],
)
def test_what_is_no_zone_theme_or_name_is_refused(bob: Api, body: dict[str, str]) -> None:
    answer = bob.patch("profile/", body)
    assert answer.status_code == 400
    assert answer.json()["problems"][0]["path"] in body


def test_members_do_not_see_each_others_zone(bob: Api, alice: Api) -> None:
    bob.patch("profile/", {"zone": HERE})
    assert HERE not in alice.get("members/").content.decode()


def test_mail_once_a_day_comes_at_the_hour_of_ones_own_zone(
    bob: Api, people: People, run: Run
) -> None:
    bob.patch("profile/", {"zone": HERE})
    chosen = bob.patch("notifications/", {"mail": "daily", "hour": 18}).json()
    assert (chosen["mail"], chosen["hour"], chosen["zone"]) == ("daily", 18, HERE)
    item: Interrupt = open_interrupt(run)
    Notice.objects.create(
        user=people.bob.user,
        workspace=people.bob.workspace,
        interrupt=item,
        why="opened",
        noted_at=now_ms(),
        due_at=0,
    )
    assert bob.patch("notifications/", {"mail": "daily"}).json()["hour"] == 18
    assert clock(Notice.objects.get().due_at, HERE) == "18:00"
    bob.patch("profile/", {"zone": "America/Lima"})
    assert clock(Notice.objects.get().due_at, "America/Lima") == "18:00"
    for hour in (-1, 24):
        assert bob.patch("notifications/", {"mail": "daily", "hour": hour}).status_code == 400


def test_an_hour_that_clocks_skip_comes_once(people: People) -> None:
    rhythm = Rhythm("daily", 2, "Europe/Berlin")
    before = datetime(2026, 3, 28, 12, tzinfo=ZoneInfo("Europe/Berlin"))
    first = told_at(rhythm, int(before.timestamp() * 1000))
    assert clock(first, "Europe/Berlin") in ("01:00", "03:00")
    assert told_at(rhythm, first) > first


def test_a_channel_of_ones_own_begins_in_ones_own_zone(bob: Api, olga: Api) -> None:
    for api in (bob, olga):
        api.patch("profile/", {"zone": HERE})
    address = "https://hooks.slack.com/services/a/b/c"
    for api, of in ((bob, "me"), (olga, "workspace")):
        made = api.post("channels/", {"of": of, "kind": "slack", "name": of, "address": address})
        assert made.status_code == 201, made.content
    zones = dict(Channel.objects.values_list("name", "zone"))
    assert zones == {"me": HERE, "workspace": "UTC"}


def test_a_members_zone_is_their_own_or_the_workspaces(people: People) -> None:
    member = Membership.objects.get(pk=people.bob.pk)
    assert member.zone == "UTC"
    member.user.zone = HERE
    assert member.zone == HERE
