"""The websocket: the stream equals the log, and only who may see it gets it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from builder import runtime
from builder.asgi import application
from builder.consumers import LiveConsumer
from builder.hub import Mailbox, graph_topic, hub, inbox_topic, run_topic
from builder.live.readers import close_readers
from builder.models import Graph, Membership, Run, Workspace
from builder.services import graphs
from builder.services.drafts import DraftChange
from builder.services.runs import Start, start_run
from tests.builder.conftest import DOCUMENT, People
from tests.builder.fakes import FakeDoor, append

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]
ORIGIN = settings.ORIGINS[0]
Opened = Callable[..., Any]


class Socket:
    """One socket and what came over it."""

    def __init__(self, communicator: WebsocketCommunicator) -> None:
        self.communicator = communicator

    async def send(self, **frame: Any) -> None:
        await self.communicator.send_to(text_data=json.dumps(frame))

    async def next(self, op: str | None = None, timeout: float = 5) -> dict[str, Any]:
        """Return the next frame, of `op` if given; heads are skipped unless asked for."""
        while True:
            text = await self.communicator.receive_from(timeout)
            frame: dict[str, Any] = json.loads(text)
            if frame["op"] == op or (op is None and frame["op"] != "head"):
                return frame

    async def events(self, count: int) -> list[int]:
        """Return the seqs of the next `count` events."""
        seqs: list[int] = []
        while len(seqs) < count:
            seqs += [event["seq"] for event in (await self.next("ev"))["events"]]
        return seqs

    async def silent(self, seconds: float = 0.2) -> bool:
        """Return whether nothing but heads comes: when they come depends on the machine's pace."""
        while not await self.communicator.receive_nothing(seconds):
            if json.loads(await self.communicator.receive_from())["op"] != "head":
                return False
        return True

    async def closed(self) -> int:
        """Return the code with which the server closes the socket."""
        while True:
            out = await self.communicator.receive_output(5)
            if out["type"] == "websocket.close":
                return int(out["code"])


@pytest.fixture
async def open_socket(people: People) -> AsyncIterator[Opened]:
    """Opens sockets, by default Alice's, and closes them at the end."""
    opened: list[WebsocketCommunicator] = []

    async def opening(member: Membership | None = None, origin: str = ORIGIN) -> Socket:
        client = Client()
        if member is not None:
            await sync_to_async(client.force_login)(member.user)
        cookie = "; ".join(f"{key}={value.value}" for key, value in client.cookies.items())
        headers = [(b"origin", origin.encode()), (b"cookie", cookie.encode())]
        communicator = WebsocketCommunicator(application, "/ws/", headers=headers)
        opened.append(communicator)
        connected, _ = await communicator.connect(timeout=5)
        assert connected
        return Socket(communicator)

    yield opening
    for communicator in opened:
        await communicator.disconnect()
    close_readers()


@pytest.fixture
def one_run(people: People) -> Run:
    graph = graphs.import_graph(people.alice, DOCUMENT)
    return Run.objects.get(pk=start_run(people.alice, graph, Start(draft=True)))


more = sync_to_async(append)


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
    await sync_to_async(graphs.save_draft)(people.olga, graph, change, client="tab-o")
    told = await alice.next("draft")
    await olga.send(op="unsub", graph=graph.pk)
    alone = await alice.next("presence")

    assert [p["client"] for p in both["people"]] == ["tab-a", "tab-o"]
    assert selected["people"][1]["selection"] == ["draft"]
    assert selected["people"][1]["user"]["name"] == "Olga"
    assert told == {"op": "draft", "graph": graph.pk, "revision": 2, "client": "tab-o"}
    assert [p["client"] for p in alone["people"]] == ["tab-a"]


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
    monkeypatch.setattr("builder.consumers.MAX_SUBSCRIPTIONS", 2)
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
    runtime.install(None)
    socket = await open_socket(people.alice)
    await socket.send(op="sub", run=one_run.pk, after=0)

    assert await socket.closed() == 4500


async def test_a_bell_from_a_thread_wakes_at_once_and_many_count_as_one() -> None:
    mailbox = Mailbox(asyncio.get_running_loop())
    waiting = asyncio.create_task(mailbox.rang(5))
    await asyncio.sleep(0)

    def ring() -> None:
        for _ in range(100):
            mailbox(None)

    thread = threading.Thread(target=ring)
    thread.start()
    thread.join()  # on purpose on the loop: all rings come before it looks

    assert await waiting
    assert not await mailbox.rang(0.01)


async def test_a_slow_listener_loses_its_oldest_frames_only() -> None:
    slow, quick = (Mailbox(asyncio.get_running_loop()) for _ in range(2))
    topic = graph_topic("g")
    ends = [hub.subscribe(topic, slow), hub.subscribe(topic, quick)]
    heard = []
    for number in range(300):
        hub.send(topic, {"n": number})
        if number % 100 == 99:
            heard += [frame["n"] for frame in await quick.wait(1)]
    for end in ends:
        end()

    assert heard == list(range(300))
    assert [frame["n"] for frame in await slow.wait(1)] == list(range(100, 300))
    assert hub.listeners(topic) == 0


async def test_a_workspace_of_ones_own_can_be_named(open_socket: Opened, people: People) -> None:
    other = await Workspace.objects.acreate(name="Other", slug="other")
    await Membership.objects.acreate(user=people.alice.user, workspace=other, role="viewer")
    socket = await open_socket(people.alice)
    await socket.send(op="sub", topic="runs", workspace=other.pk)

    assert (await socket.next())["op"] == "bell"
