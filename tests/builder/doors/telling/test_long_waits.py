"""Rules about what waits too long, and about workflows by where they lie and how they are tagged."""

from __future__ import annotations

from typing import Any

import pytest

from builder.base.clock import now_ms
from builder.base.errors import InvalidInput
from builder.doors.house import dispatch as house
from builder.doors.house.consumers import CONSUMERS
from builder.doors.house.waiting import MINUTE_MS, note_waiting
from builder.doors.telling.carrying.words import line_of
from builder.doors.telling.rules import hearing
from builder.doors.telling.rules import verbs as rules
from builder.models import ChannelNotice, Graph, Interrupt, Run
from builder.services.graphs import graphs
from builder.services.runs import runs
from builder.services.runs.runs import Start
from tests.builder.conftest import Api, People
from tests.builder.doors.telling.conftest import Happen, MakeChannel, MakeRule
from tests.builder.fakes import open_interrupt


@pytest.fixture
def live(people: People, graph: Graph) -> Run:
    """A run of the published workflow, which lies in a folder and has a tag."""
    graphs.publish(people.alice, graph, revision=1)
    Graph.objects.filter(pk=graph.pk).update(folder="Support/Refunds", tags=["urgent", "eu"])
    return Run.objects.get(pk=runs.start_run(people.alice, graph, Start(input="hi")))


def told() -> list[str]:
    return [one.channel.name for one in ChannelNotice.objects.order_by("channel__made_at")]


def test_an_item_that_waits_is_told_once_after_as_long_as_each_rule_says(
    channel: MakeChannel, rule: MakeRule, live: Run
) -> None:
    item = open_interrupt(live)
    for minutes in (30, 60):
        rule(channel(name=f"after {minutes}"), "item.waiting", minutes=minutes)
    assert sorted(minutes for _where, minutes in hearing.waits()) == [30, 60]
    opened = Interrupt.objects.get(pk=item.pk).opened_at

    for minutes, expected in ((29, []), (31, ["after 30"]), (59, ["after 30"])):
        note_waiting(CONSUMERS, opened + minutes * MINUTE_MS)
        house.dispatch(CONSUMERS, now_ms())
        assert told() == expected
    for _ in range(2):
        note_waiting(CONSUMERS, opened + 61 * MINUTE_MS)
        house.dispatch(CONSUMERS, now_ms())
    assert told() == ["after 30", "after 60"]
    said = [line_of(one).text for one in ChannelNotice.objects.order_by("channel__made_at")]
    assert said[0].endswith("has waited for 30 minutes")
    assert said[1].endswith("has waited for 1 hour")


def test_who_may_not_decide_is_not_told_that_it_waits(
    people: People, channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run
) -> None:
    item = open_interrupt(live, policy={"eligible": [f"user:{people.bob.user_id}"]})
    for name in ("bob", "vera"):
        rule(channel("slack", getattr(people, name), name=name), "item.waiting", minutes=5)

    happen("item.waiting", live, item.pk, kind="approval", minutes=5)

    assert told() == ["bob"]


@pytest.mark.parametrize("minutes", [None, 0, -1, 30 * 24 * 60 + 1])
def test_how_long_has_to_be_said(people: People, channel: MakeChannel, minutes: int | None) -> None:
    with pytest.raises(InvalidInput) as refused:
        rules.create(people.olga, channel(), rules.Wanted(["item.waiting"], minutes=minutes))
    assert [one["path"] for one in refused.value.problems or ()] == ["minutes"]


def test_minutes_without_such_an_item_are_not_kept(channel: MakeChannel, rule: MakeRule) -> None:
    assert rule(channel(), "run.failed", minutes=5).minutes is None


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        ({"folder": "Support"}, True),
        ({"folder": " Support / Refunds "}, True),
        ({"folder": "Sup"}, False),
        ({"folder": "Support/Refunds/More"}, False),
        ({"tag": "eu"}, True),
        ({"tag": "e"}, False),
        ({"folder": "Support", "tag": "us"}, False),
    ],
)
def test_a_rule_of_a_folder_or_tag_hears_of_its_workflows_alone(
    channel: MakeChannel,
    rule: MakeRule,
    happen: Happen,
    live: Run,
    wanted: dict[str, Any],
    fits: bool,
) -> None:
    rule(channel(name="ops"), "run.failed", **wanted)

    happen("run.failed", live)

    assert told() == (["ops"] if fits else [])


def test_the_budget_of_the_workspace_lies_in_no_folder(
    channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run
) -> None:
    rule(channel(), "budget.mark", folder="Support")

    happen("budget.mark", live, "b", level="workspace", percent=80)

    assert told() == []


def test_a_rule_says_its_place_on_the_wire(olga: Api, channel: MakeChannel) -> None:
    body = {"kinds": ["item.waiting"], "minutes": 90, "folder": "Support", "tag": "eu"}
    made = olga.post("notice-rules/", {**body, "channel": channel().pk})
    assert made.status_code == 201, made.content
    assert {name: made.json()[name] for name in body} == body
    refused = olga.post("notice-rules/", {"kinds": ["item.waiting"], "channel": channel().pk})
    assert refused.status_code == 400
