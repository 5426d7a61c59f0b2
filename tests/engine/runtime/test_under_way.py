"""An execution that its run was torn from sees its calls through, and does nothing more."""

from __future__ import annotations

import asyncio

from engine.runtime.under_way import CallsUnderWay


class Node:
    """Code of a node that makes calls, and what came of them."""

    def __init__(self, *seconds: float) -> None:
        self.calls = CallsUnderWay()
        self.said: list[str] = []
        self.task = asyncio.ensure_future(self._run(seconds))

    async def _run(self, seconds: tuple[float, ...]) -> None:
        branches = [
            asyncio.ensure_future(self._call(number, s)) for number, s in enumerate(seconds)
        ]
        await asyncio.gather(*branches)
        self.said.append("went on")

    async def _call(self, number: int, seconds: float) -> None:
        async def call() -> None:
            await asyncio.sleep(seconds)
            self.said.append(f"recorded {number}")

        await self.calls.see_through("r", self.task, call())
        self.said.append(f"returned {number}")
        await asyncio.sleep(9)


async def test_what_calls_nobody_ends_at_once() -> None:
    node = Node()

    assert node.calls.tear(node.task)

    await asyncio.wait([node.task])
    assert (node.task.cancelled(), node.said) == (True, [])


async def test_what_was_called_is_recorded_and_nothing_follows_from_it() -> None:
    node = Node(0.01)
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    assert not node.calls.tear(node.task)

    await asyncio.wait([node.task])
    assert (node.task.cancelled(), node.said) == (True, ["recorded 0"])


async def test_the_last_of_several_calls_ends_what_was_torn() -> None:
    node = Node(0.02, 0.01)
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    assert not node.calls.tear(node.task)

    await asyncio.wait([node.task])
    assert node.said == ["recorded 1", "returned 1", "recorded 0"]


async def test_what_was_not_torn_goes_on() -> None:
    node = Node(0)
    await asyncio.sleep(0.05)

    assert node.said == ["recorded 0", "returned 0"]
    node.task.cancel()
