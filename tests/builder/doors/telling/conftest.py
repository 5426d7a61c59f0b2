"""Channels that lead to a receiver on loopback, and house events that rules hear of."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from builder.base.clock import now_ms
from builder.doors.telling.channels import verbs as channels
from builder.doors.telling.rules import hearing
from builder.doors.telling.rules import verbs as rules
from builder.models import Channel, ChannelNotice, HouseEvent, Membership, NoticeRule, Run
from tests.builder.conftest import People
from tests.builder.doors.telling.receiver import Receiver, receiving

MakeChannel = Callable[..., Channel]
MakeRule = Callable[..., NoticeRule]
Happen = Callable[..., HouseEvent]
_places = itertools.count()


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """A receiver that the operator of this test allows."""
    with receiving() as server:
        settings.EGRESS_ALLOW = [server.address]
        yield server


@pytest.fixture
def channel(people: People, receiver: Receiver) -> MakeChannel:
    """Return what makes a channel of the workspace that leads to the receiver, already proven."""

    def make(kind: str = "slack", member: Membership | None = None, **wanted: Any) -> Channel:
        place = wanted.pop("address", f"{receiver.address}/{kind}{next(_places)}")
        secret = wanted.pop("secret", None)
        asked = channels.Wanted(address=place, **wanted)
        owner = member or people.olga
        row, _secret = channels.create(owner, kind, asked, mine=member is not None, secret=secret)
        row.verified_at = now_ms()
        row.save()
        return row

    return make


@pytest.fixture
def rule(people: People) -> MakeRule:
    """Return what makes a rule of a channel."""

    def make(channel: Channel, *kinds: str, **wanted: Any) -> NoticeRule:
        rows = Membership.objects.filter(workspace=channel.workspace_id)
        owner = rows.get(user=channel.user_id or people.olga.user_id)
        return rules.create(owner, channel, rules.Wanted(list(kinds), **wanted))

    return make


@pytest.fixture
def happen(people: People) -> Happen:
    """Return what makes a house event and has it heard."""

    def make(kind: str, run: Run | None = None, ref: str = "", /, **data: Any) -> HouseEvent:
        event = HouseEvent.objects.create(
            workspace=people.olga.workspace,
            kind=kind,
            ref=ref or (run.pk if run else "r1"),
            run=None if run is None else run.pk,
            graph=None if run is None else run.graph_id,
            data=json.dumps(data),
            at=now_ms(),
        )
        hearing.hear(event)
        return event

    return make


def states() -> list[str]:
    """Return the states of all notices in their order."""
    return list(ChannelNotice.objects.order_by("at", "pk").values_list("state", flat=True))
