"""The websocket refuses: odd frames, floods, too much at once, and whoever lost access."""

from __future__ import annotations

from typing import Any

import pytest

from builder.base import engine_door
from builder.live.consumer import LiveConsumer
from builder.models import Membership, Run
from tests.builder.conftest import People
from tests.builder.fakes import FakeDoor
from tests.builder.sockets import ORIGIN, Opened, more, one_run, open_socket

__all__ = ["one_run", "open_socket"]  # fixtures
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


async def test_another_tenants_run_graph_and_workspace_are_refused(
    open_socket: Opened, people: People, one_run: Run
) -> None:
    socket = await open_socket(people.carol)
    home = people.alice.workspace_id

    for frame in (
        {"run": one_run.pk, "after": 0},
        {"graph": one_run.graph_id},
        {"topic": "inbox", "workspace": home},
        {"run": "nothing"},
    ):
        await socket.send(op="sub", **frame)
        refused = await socket.next()
        assert refused["op"] == "refused"
        assert refused["code"] == "NotFound"

    await more(one_run, "NodeQueued", key="draft#1")
    assert await socket.silent()


async def test_an_anonymous_socket_and_a_foreign_origin_are_closed(
    open_socket: Opened, people: People
) -> None:
    anonymous = await open_socket()
    assert await anonymous.closed() == 4401

    for origin in ("http://evil.example", ORIGIN.replace("http:", "https:"), f"{ORIGIN}9", "x"):
        with pytest.raises(AssertionError):
            await open_socket(people.alice, origin)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"op": "shout"}', 4400),
        ('{"run": "x"}', 4400),
        ("[]", 4400),
        ('{"op": "ping", "pad": "' + "x" * 70_000 + '"}', 4413),
    ],
)
async def test_what_the_protocol_does_not_know_closes_the_socket(
    open_socket: Opened, people: People, text: str, code: int
) -> None:
    socket = await open_socket(people.alice)
    await socket.communicator.send_to(text_data=text)

    assert await socket.closed() == code


@pytest.mark.parametrize(
    "frame",
    [
        {"op": "sub"},
        {"op": "sub", "run": "x", "topic": "runs"},
        {"op": "sub", "run": "x", "after": -1},
        {"op": "sub", "run": "x", "after": "1"},
        {"op": "sub", "topic": "everything"},
        {"op": "ping", "colour": 1},
        {"op": "presence", "graph": "x", "selection": [1]},
    ],
)
async def test_a_malformed_frame_is_refused_and_the_socket_stays(
    open_socket: Opened, people: People, frame: dict[str, Any]
) -> None:
    socket = await open_socket(people.alice)
    await socket.send(**frame)
    assert (await socket.next("refused"))["code"] == "InputInvalid"

    await socket.send(op="ping")
    assert await socket.next() == {"op": "pong"}


async def test_a_flood_closes_the_socket(open_socket: Opened, people: People) -> None:
    socket = await open_socket(people.alice)
    for _ in range(31):
        await socket.send(op="ping")

    assert await socket.closed() == 4429


async def test_a_socket_has_twenty_subscriptions(
    open_socket: Opened, people: People, one_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builder.live.consumer.MAX_SUBSCRIPTIONS", 2)
    socket = await open_socket(people.alice)
    await socket.send(op="sub", topic="runs")
    await socket.next("bell")
    await socket.send(op="sub", topic="inbox")
    await socket.next("bell")
    await socket.send(op="sub", run=one_run.pk)

    assert (await socket.next())["code"] == "TooManySubscriptions"


async def test_access_is_looked_at_again(
    open_socket: Opened, people: People, one_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LiveConsumer, "recheck_s", 0.05)
    socket = await open_socket(people.alice)
    await socket.send(op="sub", run=one_run.pk, after=0)
    await socket.events(1)
    elsewhere = people.carol.workspace
    await Membership.objects.acreate(user=people.alice.user, workspace=elsewhere, role="viewer")
    await Membership.objects.filter(pk=people.alice.pk).adelete()

    assert (await socket.next("refused"))["run"] == one_run.pk
    await more(one_run, "NodeQueued", key="draft#1")
    assert await socket.silent()


async def test_a_changed_password_closes_the_socket(
    open_socket: Opened, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LiveConsumer, "recheck_s", 0.05)
    socket = await open_socket(people.alice)
    people.alice.user.set_password("another pass word")
    await people.alice.user.asave()

    assert await socket.closed() == 4401


async def test_a_broken_stream_closes_its_socket(
    open_socket: Opened, people: People, one_run: Run, door: FakeDoor
) -> None:
    engine_door.install(None)
    socket = await open_socket(people.alice)
    await socket.send(op="sub", run=one_run.pk, after=0)

    assert await socket.closed() == 4500
