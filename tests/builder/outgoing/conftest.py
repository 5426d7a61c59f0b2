"""A machine whose names mean what a test says, and which notes each connection instead of making it."""

from __future__ import annotations

import socket
from asyncio.selector_events import BaseSelectorEventLoop
from typing import Any

import pytest

from engine.integrations.egress import client

PUBLIC = "93.184.216.34"


class Net:
    """What was connected to; ports in `there` are really there."""

    def __init__(self) -> None:
        self.reached: list[str] = []
        self.there: set[int] = set()
        self.meant: list[str] = [PUBLIC]

    def means(self, *addresses: str) -> None:
        """Let every name that is no address mean these, one after the other, the last for ever."""
        self.meant = list(addresses)

    async def resolve(self, host: str, port: int) -> list[str]:
        """Return what a host means; what is written as an address is read by the machine."""
        if not host.endswith(".example"):
            return await SYSTEM(host, port)
        return [self.meant.pop(0) if len(self.meant) > 1 else self.meant[0]]


SYSTEM = client.system_resolver
CONNECT = BaseSelectorEventLoop.sock_connect


@pytest.fixture
def net(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Net:
    """The machine of a test, whose operator allows nothing."""
    settings.EGRESS_ALLOW = []
    made = Net()

    async def connect(loop: Any, sock: socket.socket, address: Any) -> None:
        if sock.family == socket.AF_UNIX or address[1] in made.there:
            await CONNECT(loop, sock, address)
            return
        made.reached.append(str(address[0]))
        raise ConnectionRefusedError

    monkeypatch.setattr(BaseSelectorEventLoop, "sock_connect", connect)
    monkeypatch.setattr(client, "system_resolver", made.resolve)
    return made
