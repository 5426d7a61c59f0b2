"""Bells and frames in this process: many rings count as one, and slow listeners lose the oldest."""

from __future__ import annotations

import asyncio
import threading

from builder.base.bells import Mailbox, graph_topic, hub


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
