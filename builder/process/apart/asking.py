"""What became of a request, for whoever has no engine of its own to ask: the row tells it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from builder.base.bells import Mailbox, asked_topic, hub, run_topic
from engine.runtime.stores.requests import Requests, Told

LOOK_SECONDS: Final = 0.5
"""How long an answer is late at most whose bell was lost."""


async def answer_to(
    requests: Requests, run_id: str, number: int, *, within_s: float, is_over: Callable[[], bool]
) -> Told | None:
    """Ring for a request that is durable; return what became of it, None if that takes longer.

    None as well where `is_over` says that this process ends.
    """
    bell = Mailbox(asyncio.get_running_loop())
    unsubscribe = hub.subscribe(run_topic(run_id), bell)
    until = time.monotonic() + within_s
    try:
        hub.ring(asked_topic(run_id))
        while (told := await requests.told(number)) is None:
            left = until - time.monotonic()
            if left <= 0 or is_over():
                return None
            await bell.rang(min(left, LOOK_SECONDS))
        return told
    finally:
        unsubscribe()
