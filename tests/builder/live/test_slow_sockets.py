"""A client of a socket that never reads: it is waited for, and let go, and holds no memory."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from builder.live.consumer import SLOW, LiveConsumer

ROOT = Path(__file__).resolve().parents[3]
MIB = 1024 * 1024
HEARD_OF_NOTHING_S = 1.5
PATIENCE_S = 5
"""What the talker below waits, and what the server gives a client to say goodbye."""
SERVER = """
import asyncio, sys
from builder.process.server import WebServer, opened

async def talk(scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})
    sent = 0
    while sent < 200 * 1024 * 1024:
        try:
            async with asyncio.timeout(3):
                await send({"type": "websocket.send", "text": "x" * 65_536})
        except TimeoutError:
            return await send({"type": "websocket.close", "code": 4408})
        sent += 65_536
        print(sent, flush=True)
        await asyncio.sleep(0)

listening = opened("127.0.0.1", 0)
print(listening.getsockname()[1], flush=True)
WebServer(talk, listening).run()
"""
HANDSHAKE = (
    b"GET /ws/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.fixture
def talker(tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """A server that says much to every socket: its port, and the file where it notes how much."""
    noted = tmp_path / "noted"
    with noted.open("wb") as out:
        process = subprocess.Popen([sys.executable, "-c", SERVER], cwd=ROOT, stdout=out)
    try:
        deadline = time.monotonic() + 30
        while not noted.read_text().endswith("\n"):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield int(noted.read_text().split()[0]), noted
    finally:
        process.kill()
        process.wait()


def settled(noted: Path) -> int:
    """Return how many bytes were said once no more are."""
    last, since = -1, time.monotonic()
    while time.monotonic() - since < HEARD_OF_NOTHING_S:
        now = int(noted.read_text().split()[-1])
        if now != last:
            last, since = now, time.monotonic()
        time.sleep(0.05)
    return last


@pytest.mark.slow
def test_nobody_talks_on_to_a_socket_that_never_reads(talker: tuple[int, Path]) -> None:
    """All 200 MB lay in the server's memory for as long as the socket was open."""
    port, noted = talker
    with socket.create_connection(("127.0.0.1", port)) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
        deaf.sendall(HANDSHAKE)

        assert settled(noted) < 24 * MIB  # one here, the rest in the system's own buffers

        while int(noted.read_text().split()[-1]) < 40 * MIB:
            assert deaf.recv(MIB)

        settled(noted)
        deaf.settimeout(10)
        time.sleep(PATIENCE_S)
        with contextlib.suppress(ConnectionResetError):
            while deaf.recv(MIB):
                pass
    assert int(noted.read_text().split()[-1]) < 100 * MIB


async def test_who_does_not_read_for_too_long_is_closed_and_may_come_back() -> None:
    said: list[dict[str, Any]] = []

    class Deaf(LiveConsumer):
        send_s = 0.01

    async def send(message: dict[str, Any]) -> None:
        said.append(message)
        if message["type"] == "websocket.send":
            await asyncio.sleep(60)

    consumer = Deaf()
    consumer.base_send = send
    with pytest.raises(TimeoutError):
        await consumer._send({"op": "pong"})

    assert said[-1] == {"type": "websocket.close", "code": SLOW}
