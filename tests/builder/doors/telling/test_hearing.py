"""Which rules an event fits: by kind, by workflow, by who started, by who may decide."""

from __future__ import annotations

import pytest

from builder.base.clock import now_ms
from builder.doors.house import dispatch as house
from builder.doors.house.consumers import CONSUMERS
from builder.doors.telling.rules import hearing
from builder.models import Channel, ChannelNotice, Graph, HouseEvent, NoticeRule, Run
from builder.services.graphs import graphs
from builder.services.runs import runs
from builder.services.runs.runs import Start
from tests.builder.conftest import DOCUMENT, People
from tests.builder.doors.telling.conftest import Happen, MakeChannel, MakeRule
from tests.builder.fakes import open_interrupt


@pytest.fixture
def live(people: People, graph: Graph) -> Run:
    """A run of the published workflow, started by Alice."""
    graphs.publish(people.alice, graph, revision=1)
    return Run.objects.get(pk=runs.start_run(people.alice, graph, Start(input="hi")))


def told() -> list[str]:
    return [one.channel.name for one in ChannelNotice.objects.order_by("channel__made_at")]


def test_a_rule_is_told_of_its_kinds_and_nothing_else(
    channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run
) -> None:
    rule(channel(name="ops"), "run.failed")

    happen("run.completed", live)
    event = happen("run.failed", live)
    hearing.hear(event)

    assert told() == ["ops"], "once, however often it is heard"


def test_a_rule_of_one_workflow_hears_of_no_other(
    people: People, channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run
) -> None:
    other = graphs.import_graph(people.alice, {**DOCUMENT, "id": "other", "name": "Other"})
    rule(channel(name="ours"), "run.failed", graph=live.graph_id)
    rule(channel(name="theirs"), "run.failed", graph=other.pk)

    happen("run.failed", live)

    assert told() == ["ours"]


def test_a_draft_on_trial_and_a_run_within_another_are_told_to_nobody(
    channel: MakeChannel, rule: MakeRule, happen: Happen, run: Run, live: Run
) -> None:
    rule(channel(), "run.failed")

    happen("run.failed", run)
    Run.objects.filter(pk=live.pk).update(parent_run=run.pk)
    happen("run.failed", live)

    assert told() == []


def test_one_who_asks_for_their_own_runs_hears_of_no_other(
    people: People, channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run
) -> None:
    for name, member in (("alice", people.alice), ("bob", people.bob)):
        rule(channel("slack", member, name=name), "run.failed", mine=True)

    happen("run.failed", live)

    assert told() == ["alice"]


def test_a_person_is_told_only_of_what_they_may_decide(
    people: People, channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run
) -> None:
    item = open_interrupt(live, policy={"eligible": [f"user:{people.bob.user_id}"]})
    rule(channel(name="everybody"), "approval.opened")
    for name in ("bob", "oscar", "vera"):
        rule(channel("slack", getattr(people, name), name=name), "approval.opened")

    happen("approval.opened", live, item.pk, kind="approval")

    assert told() == ["everybody", "bob"]


def test_a_channel_that_is_off_or_not_proven_hears_nothing(
    channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run
) -> None:
    for fields in ({"on": False}, {"verified_at": None}):
        row = channel()
        rule(row, "run.failed")
        Channel.objects.filter(pk=row.pk).update(**fields)

    happen("run.failed", live)

    assert told() == []


def test_another_workspace_hears_nothing(
    people: People, channel: MakeChannel, rule: MakeRule, live: Run
) -> None:
    rule(channel(), "run.failed")
    event = HouseEvent(workspace=people.carol.workspace, kind="run.failed", ref="x", at=now_ms())
    event.run, event.graph = live.pk, live.graph_id
    event.save()

    hearing.hear(event)

    assert told() == []


def test_the_house_hands_its_events_to_the_rules(
    people: People, channel: MakeChannel, rule: MakeRule, live: Run
) -> None:
    made = rule(channel(), "run.failed")
    workspace = people.olga.workspace
    HouseEvent.objects.create(
        workspace=workspace, kind="run.failed", ref=live.pk, run=live.pk, at=now_ms()
    )

    house.dispatch(CONSUMERS)
    house.dispatch(CONSUMERS)

    assert ChannelNotice.objects.get().rule == NoticeRule.objects.get(pk=made.pk)
