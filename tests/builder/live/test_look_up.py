"""The look-up of what a socket asks for ends with the socket."""

from __future__ import annotations

import asyncio
from typing import Any

from builder.live.consumer import LiveConsumer


async def test_nobody_looks_on_for_a_socket_that_has_left() -> None:
    """Under many that come and go, what was asked for the gone came before those that are there."""
    began, ended = asyncio.Event(), asyncio.Event()

    class Asking(LiveConsumer):
        async def _authorised(self, target: tuple[str, str], workspace: str) -> str | None:
            began.set()
            try:
                await asyncio.sleep(60)
            finally:
                ended.set()
            return None

    async def send(_message: dict[str, Any]) -> None:
        return

    consumer = Asking()
    consumer.base_send = send
    consumer.subscriptions, consumer.guard = {}, asyncio.create_task(asyncio.sleep(60))
    consumer.meter = type("All", (), {"allows": lambda _self: True})()
    await consumer.receive('{"op": "sub", "run": "r"}')
    await began.wait()

    await asyncio.wait_for(consumer.disconnect(1000), 5)
    assert ended.is_set() and consumer.subscriptions == {}
