"""Many sockets at once, dropped again and again: all come back, and none misses anything."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.e2e.crowd import Plan, crowd, summary
from tests.e2e.server import Server

pytestmark = pytest.mark.slow


def test_a_crowd_that_is_dropped_every_second_misses_nothing(tmp_path: Path) -> None:
    """The short form of `make crowd`."""
    server = Server(tmp_path)
    try:
        server.start()
        owner = server.client()
        owner.set_up()
        plan = Plan(sockets=60, runs=6, seconds=6, drop_s=(0.5, 2), mute=4)
        came = asyncio.run(crowd(owner, plan, step_ms=200))
    finally:
        server.close()

    listeners = came.listeners
    assert all(each.is_whole for each in listeners), summary(came)
    assert not [reason for each in listeners for reason in each.failed], summary(came)
    assert sum(each.handshakes for each in listeners) > 120
