"""A browser that leaves: what was on its way to it is dropped, and nothing of its socket stays."""

from __future__ import annotations

import asyncio
import gc
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from autobahn.exception import Disconnected

from builder.live.consumer import LiveConsumer
from builder.models import Run
from tests.builder.conftest import People
from tests.builder.sockets import Opened, one_run, open_socket

__all__ = ["one_run", "open_socket"]
ROOT = Path(__file__).resolve().parents[3]
LEAVING = 20
SERVER = """
import gc
from builder.process.server import WebServer, opened

async def listen(scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        kept = sum(type(one).__name__ in ("Voice", "BoundedRequest") for one in gc.get_objects())
        await send({"type": "websocket.send", "text": str(kept)})

gc.collect()
gc.disable()
listening = opened("127.0.0.1", 0)
print(listening.getsockname()[1], flush=True)
WebServer(listen, listening).run()
"""
HANDSHAKE = (
    b"GET /ws/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
ASK = b"\x81\x81\0\0\0\0?"


class Left(LiveConsumer):
    """A socket whose other side is gone; the word of that has not come yet."""

    async def send(self, *_args: Any, **_kwargs: Any) -> None:
        raise Disconnected("Attempt to send on a closed protocol")


async def test_what_comes_too_late_is_dropped_without_a_word() -> None:
    await Left()._send({"op": "pong"})


@pytest.fixture
def listener() -> Iterator[int]:
    """The port of a server that looks for no garbage, and tells how many sockets it keeps."""
    process = subprocess.Popen([sys.executable, "-c", SERVER], cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def asked(port: int) -> int:
    """Return how many sockets and requests the server keeps, by a socket that then leaves."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as browser:
        browser.sendall(HANDSHAKE)
        said = b""
        while not said.endswith(b"\r\n\r\n"):
            said += browser.recv(4096)
        browser.sendall(ASK)
        head = browser.recv(2)
        return int(browser.recv(head[1]))


@pytest.mark.slow
def test_nothing_of_a_socket_waits_for_the_garbage_collector(listener: int) -> None:
    """In circles they stayed until whole looks found them: of half a second, with 500 sockets."""
    first = asked(listener)
    for _ in range(LEAVING):
        asked(listener)
    deadline = time.monotonic() + 10  # the server strikes off once a second who has left
    while (kept := asked(listener)) > first + 4 and time.monotonic() < deadline:
        time.sleep(0.5)
    assert kept <= first + 4


def consumers() -> int:
    return sum(issubclass(type(one), LiveConsumer) for one in gc.get_objects())


@pytest.mark.django_db(transaction=True)
async def test_neither_do_its_subscriptions(
    open_socket: Opened, people: People, one_run: Run
) -> None:
    gc.collect()
    before = consumers()
    gc.disable()
    try:
        for _ in range(3):
            alice: Any = await open_socket(people.alice)
            await alice.send(op="sub", run=one_run.pk, after=0)
            await alice.next("ev")
            assert consumers() > before
            await alice.communicator.disconnect()
            await asyncio.sleep(0.1)
        assert consumers() <= before
    finally:
        gc.enable()
