"""The websocket: the stream equals the log, and only who may see it gets it."""

from __future__ import annotations

import asyncio

import pytest
from asgiref.sync import sync_to_async

from builder.base.bells import hub, inbox_topic, mentions_topic, run_topic
from builder.models import Graph, Membership, Run, Workspace
from builder.services.graphs import drafts
from builder.services.graphs.drafts import DraftChange
from tests.builder.conftest import People
from tests.builder.fakes import append, open_interrupt
from tests.builder.sockets import Opened, more, one_run, open_socket

__all__ = ["one_run", "open_socket"]  # fixtures
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


async def test_events_come_in_order_old_and_new(
    open_socket: Opened, people: People, one_run: Run
) -> None:
    for _ in range(4):
        await more(one_run, "NodeStarted", key="draft#1", note="ä")
    socket = await open_socket(people.alice)
    await socket.send(op="sub", run=one_run.pk, after=0)
    assert await socket.events(5) == [1, 2, 3, 4, 5]

    await more(one_run, "NodeCompleted", key="draft#1", output={"a": 1})

    frame = await socket.next("ev")
    assert frame["run"] == one_run.pk
    assert frame["events"][0] == {
        "seq": 6,
        "type": "NodeCompleted",
        "at": "2027-01-15T08:00:00.006Z",
        "node": "draft",
        "key": "draft#1",
        "output": {"a": 1},
    }


async def test_a_long_log_comes_in_pages_without_gap_or_duplicate(
    open_socket: Opened, people: People, one_run: Run
) -> None:
    def grow() -> None:
        for _ in range(450):
            append(one_run, "NodeQueued", key="draft#1")

    await sync_to_async(grow)()
    socket = await open_socket(people.alice)
    await socket.send(op="sub", run=one_run.pk, after=1)

    sizes = [len((await socket.next("ev"))["events"]) for _ in range(3)]

    assert sizes == [200, 200, 50]


async def test_a_reconnect_goes_on_where_the_first_socket_stopped(
    open_socket: Opened, people: People, one_run: Run
) -> None:
    first = await open_socket(people.alice)
    await first.send(op="sub", run=one_run.pk, after=0)
    seen = await first.events(1)
    await first.communicator.disconnect()
    for _ in range(3):
        await more(one_run, "NodeQueued", key="draft#1")

    second = await open_socket(people.alice)
    await second.send(op="sub", run=one_run.pk, after=seen[-1])
    writer = asyncio.create_task(_write(one_run, 5))
    seen += await second.events(8)
    await writer

    assert seen == list(range(1, 10))


async def _write(run: Run, count: int) -> None:
    for _ in range(count):
        await more(run, "NodeQueued", key="draft#1")


async def test_a_second_subscription_replaces_the_first(
    open_socket: Opened, people: People, one_run: Run
) -> None:
    socket = await open_socket(people.alice)
    for _ in range(2):
        await socket.send(op="sub", run=one_run.pk, after=0)
        assert await socket.events(1) == [1]

    await more(one_run, "NodeQueued", key="draft#1")

    assert await socket.events(1) == [2]
    assert await socket.silent()
    assert hub.listeners(run_topic(one_run.pk)) == 1


async def test_ephemeral_frames_pass_through(
    open_socket: Opened, people: People, one_run: Run
) -> None:
    socket = await open_socket(people.alice)
    await socket.send(op="sub", run=one_run.pk, after=0)
    await socket.events(1)

    hub.send(run_topic(one_run.pk), {"key": "draft#1", "kind": "delta", "text": "Hel"})

    assert await socket.next("eph") == {
        "op": "eph",
        "run": one_run.pk,
        "key": "draft#1",
        "kind": "delta",
        "text": "Hel",
    }


async def test_heads_tell_how_far_the_log_is(
    open_socket: Opened, people: People, one_run: Run
) -> None:
    socket = await open_socket(people.alice)
    await socket.send(op="sub", run=one_run.pk, after=0)

    assert await socket.next("head") == {"op": "head", "run": one_run.pk, "seq": 1}


async def test_lists_ring_when_something_happened(open_socket: Opened, people: People) -> None:
    socket = await open_socket(people.alice)
    await socket.send(op="sub", topic="inbox")
    assert await socket.next() == {"op": "bell", "topic": "inbox"}

    hub.ring(inbox_topic(people.carol.workspace_id))
    assert await socket.silent()
    for _ in range(50):
        hub.ring(inbox_topic(people.alice.workspace_id))

    assert await socket.next() == {"op": "bell", "topic": "inbox"}


async def test_editors_hear_of_saves_and_see_each_other(
    open_socket: Opened, people: People, one_run: Run
) -> None:
    graph = await Graph.objects.aget(pk=one_run.graph_id)
    alice, olga = await open_socket(people.alice), await open_socket(people.olga)
    await alice.send(op="sub", graph=graph.pk, client="tab-a")
    await alice.next("presence")
    await olga.send(op="sub", graph=graph.pk, client="tab-o")
    both = await alice.next("presence")
    await olga.send(op="presence", graph=graph.pk, selection=["draft"])
    selected = await alice.next("presence")
    change = DraftChange(1, set_graph={"goal": "x"})
    await sync_to_async(drafts.save_draft)(people.olga, graph.pk, change, client="tab-o")
    told = await alice.next("draft")
    await olga.send(op="unsub", graph=graph.pk)
    alone = await alice.next("presence")

    assert [p["client"] for p in both["people"]] == ["tab-a", "tab-o"]
    assert selected["people"][1]["selection"] == ["draft"]
    assert selected["people"][1]["user"]["name"] == "Olga"
    assert told == {"op": "draft", "graph": graph.pk, "revision": 2, "client": "tab-o"}
    assert [p["client"] for p in alone["people"]] == ["tab-a"]


async def test_who_has_an_item_open_sees_who_else_does(
    open_socket: Opened, people: People, one_run: Run
) -> None:
    item = (await sync_to_async(open_interrupt)(one_run)).pk
    alice, olga = await open_socket(people.alice), await open_socket(people.olga)
    carol = await open_socket(people.carol)
    await alice.send(op="sub", item=item)
    await alice.next("presence")
    await olga.send(op="sub", item=item)
    both = await alice.next("presence")
    await olga.send(op="presence", item=item, selection=["answering"])
    at_work = await alice.next("presence")
    await carol.send(op="sub", item=item)

    assert [one["user"]["name"] for one in both["people"]] == ["Alice", "Olga"]
    assert (at_work["item"], at_work["people"][1]["selection"]) == (item, ["answering"])
    assert (await carol.next("refused"))["item"] == item


async def test_unsubscribing_ends_the_stream(
    open_socket: Opened, people: People, one_run: Run
) -> None:
    socket = await open_socket(people.alice)
    await socket.send(op="sub", run=one_run.pk, after=0)
    await socket.events(1)
    await socket.send(op="unsub", run=one_run.pk)
    await socket.send(op="ping")
    await socket.next("pong")

    await more(one_run, "NodeQueued", key="draft#1")

    assert await socket.silent()
    assert hub.listeners(run_topic(one_run.pk)) == 0


async def test_a_workspace_of_ones_own_can_be_named(open_socket: Opened, people: People) -> None:
    other = await Workspace.objects.acreate(name="Other", slug="other")
    await Membership.objects.acreate(user=people.alice.user, workspace=other, role="viewer")
    socket = await open_socket(people.alice)
    await socket.send(op="sub", topic="runs", workspace=other.pk)

    assert (await socket.next())["op"] == "bell"


async def test_what_is_said_to_a_person_rings_for_that_person_alone(
    open_socket: Opened, people: People
) -> None:
    bobs, olgas = await open_socket(people.bob), await open_socket(people.olga)
    for socket in (bobs, olgas):
        await socket.send(op="sub", topic="mentions")
        assert await socket.next("bell") == {"op": "bell", "topic": "mentions"}

    hub.ring(mentions_topic(people.bob.workspace_id, people.bob.user_id))

    assert await bobs.next("bell") == {"op": "bell", "topic": "mentions"}
    assert await olgas.silent()
