"""Sockets that tests open, a run to listen to, and what adds to its log."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from builder.live.readers import close_readers
from builder.models import Membership, Run
from builder.project.asgi import application
from builder.services.graphs import graphs
from builder.services.runs.runs import Start, start_run
from tests.builder.conftest import DOCUMENT, People
from tests.builder.fakes import append

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
