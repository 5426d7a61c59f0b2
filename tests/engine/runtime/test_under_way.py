"""A call that is broken off before it began is closed: nothing of it is left behind."""

from __future__ import annotations

import asyncio
import inspect

import pytest

from engine.runtime.under_way import CallsUnderWay


class Sequence:
    """A sequence of calls that nobody is in."""

    task: asyncio.Task[object] | None = None


async def test_a_call_that_never_began_is_closed_with_who_waited() -> None:
    async def call() -> None:
        raise AssertionError("it began")

    async def wait_for(made: object) -> None:
        await calls.see_through(("r", "a", 1, "0"), made, Sequence(), lambda: False)  # type: ignore[arg-type]

    calls, made = CallsUnderWay(), call()
    who = asyncio.ensure_future(wait_for(made))
    await asyncio.sleep(0)  # the call has a task by now, which has not run
    calls.end("r", ())

    with pytest.raises(asyncio.CancelledError):
        await who

    assert inspect.getcoroutinestate(made) == inspect.CORO_CLOSED
