"""A process that is told to end sends nothing more, and sees through what it sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Set
from typing import Any

import pytest

from engine.runtime.under_way import LOOK_SECONDS, SURE_LOOKS
from engine.sdk import NodeType
from tests.engine.lab import Lab, document, in_virtual_time
from tests.engine.node_types import node_types


class Payer(NodeType):
    """Pays twice, what cannot be paid again."""

    type = "t_payer"
    label = "Pay"

    async def run(self, ctx: Any, config: Any) -> Any:
        first = await ctx.call_tool("mail", {"order": "first"})
        return {"output": [first, await ctx.call_tool("mail", {"order": "second"})]}


def paying() -> Lab:
    types = node_types()
    types.register(Payer)
    return Lab(
        document([{"id": "it", "type": "t_payer"}], "__start__ > it", "it > __end__"), types=types
    )


async def drain(
    lab: Lab, within_s: float, leave: Callable[[Set[str]], Awaitable[None]] | None = None
) -> int:
    """End the process of a lab in good order, as far as its calls go."""
    store = lab.store
    return await lab.runner.under_way.drain(within_s, lab.clock, lambda: store.committing, leave)


def test_a_call_under_way_is_answered_and_the_next_one_is_not_made() -> None:
    """I3, I5: the process that comes next goes on from it, and asks no person what became of it."""

    async def played() -> Lab:
        lab = paying()
        await lab.begin()
        await asyncio.sleep(0.005)
        assert lab.in_flight == 1

        assert await drain(lab, 30) == 0

        assert lab.in_flight == 0
        assert (len(lab.events("StepIntended")), len(lab.events("StepCompleted"))) == (1, 1)
        assert len(lab.world.executed) == 1
        await lab.crash(crashed=False)
        state = await lab.runner.settled("r")
        assert (state.status, state.interrupts) == ("completed", {})
        return lab

    lab = in_virtual_time(played)

    assert len(lab.events("StepIntended")) == 2
    assert list(lab.world.executed.values()) == [1, 1]
    assert lab.broken == []


@pytest.mark.parametrize("within_s", [0, 3])
def test_what_is_not_answered_in_time_is_left(within_s: int) -> None:
    async def played() -> tuple[int, float]:
        lab = paying()
        lab.stop_at = "tool:mail:done"
        await lab.begin()
        await lab.stopped.wait()
        loop = asyncio.get_running_loop()
        began = loop.time()
        left = await drain(lab, within_s)
        return left, loop.time() - began

    left, took = in_virtual_time(played)

    assert left == 1
    assert within_s <= took < within_s + 2 * LOOK_SECONDS


def test_runs_without_a_call_are_left_to_others_before_those_with_one() -> None:
    async def played() -> list[Set[str]]:
        lab = paying()
        lab.stop_at = "tool:mail:done"
        await lab.begin()
        await lab.stopped.wait()
        told: list[Set[str]] = []

        async def leave(but: Set[str]) -> None:
            told.append(but)

        ending = asyncio.ensure_future(drain(lab, 30, leave))
        await asyncio.sleep((SURE_LOOKS + 2) * LOOK_SECONDS)
        assert (told, ending.done()) == ([{"r"}], False)
        [call] = lab.runner.executors_of("r")
        call.cancel()
        await ending
        return told

    assert in_virtual_time(played) == [{"r"}, set()]


def test_nothing_to_wait_for_ends_at_once() -> None:
    async def played() -> float:
        lab = paying()
        loop = asyncio.get_running_loop()
        began = loop.time()
        assert await drain(lab, 30) == 0
        return loop.time() - began

    assert in_virtual_time(played) <= (SURE_LOOKS + 2) * LOOK_SECONDS
