"""A browser that leaves while something is on its way to it."""

from __future__ import annotations

from typing import Any

from autobahn.exception import Disconnected

from builder.live.consumer import LiveConsumer


class Left(LiveConsumer):
    """A socket whose other side is gone; the word of that has not come yet."""

    async def send(self, *_args: Any, **_kwargs: Any) -> None:
        raise Disconnected("Attempt to send on a closed protocol")


async def test_what_comes_too_late_is_dropped_without_a_word() -> None:
    await Left()._send({"op": "pong"})
