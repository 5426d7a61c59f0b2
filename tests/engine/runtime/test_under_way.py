"""A call that is broken off before it began was never made: nothing of it is left behind."""

from __future__ import annotations

import asyncio

import pytest

from engine.runtime.under_way import CallsUnderWay


class Sequence:
    """A sequence of calls that nobody is in."""

    task: asyncio.Task[object] | None = None


async def test_a_call_that_never_began_is_not_made() -> None:
    made: list[str] = []

    async def call() -> None:
        made.append("made")

    calls = CallsUnderWay()
    who = asyncio.ensure_future(calls.see_through(("r", "a", 1, "0"), call, Sequence(), bool))
    await asyncio.sleep(0)  # the call has a task by now, which has not run
    calls.end("r", ())

    with pytest.raises(asyncio.CancelledError):
        await who

    assert made == []
