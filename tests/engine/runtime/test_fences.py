"""Fences of a claim: who was taken over records nothing any more, in whichever way he ends.

A claim is checked where a call is recorded and again where the node ends. Each fence is met alone
here: the old execution does one thing after it was taken over, and the new one ends differently.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.agents.activation import gets_activation
from engine.core.errors import BudgetStop, Suspended
from engine.sdk import NodeError, NodeType, RunState
from tests.engine.lab import Lab, document
from tests.engine.node_types import node_types
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


async def returns(ctx: Any) -> Any:
    return {"output": "old"}


async def fails(ctx: Any) -> Any:
    raise NodeError("OldFailed", "the old execution failed", retryable=False)


async def breaks(ctx: Any) -> Any:
    raise ValueError("the old execution broke")


async def is_late(ctx: Any) -> Any:
    await asyncio.sleep(60)


async def asks(ctx: Any) -> Any:
    return {"output": await ctx.interrupt({"kind": "text", "question": "Old?"})}


async def sleeps(ctx: Any) -> Any:
    await ctx.sleep(60_000)


async def notes(ctx: Any) -> Any:
    await ctx.node_state.set("by", "old")


async def says(ctx: Any) -> Any:
    await ctx.emit_message("old")


async def calls(ctx: Any) -> Any:
    return {"output": await ctx.call_tool("mail", {"order": "old"})}


async def buys(ctx: Any) -> Any:
    return {"output": (await ctx.reason("ann", "old", tools=[])).text}


async def fans_out(ctx: Any) -> Any:
    return {"output": await ctx.run_nodes([{"node": "child", "slot": 0, "item": 1}])}


async def suspends(ctx: Any) -> Any:
    raise Suspended


async def overspends(ctx: Any) -> Any:
    detail = {"budget": "run:r", "asked_tokens": 0, "asked_usd": "0"}
    raise BudgetStop("RunBudgetExceeded", "the old execution was too dear", detail=detail)


ENDS = [
    returns,
    suspends,
    overspends,
    fails,
    breaks,
    is_late,
    asks,
    sleeps,
    notes,
    says,
    calls,
    buys,
    fans_out,
]


class Zombie(NodeType):
    """Stands still on its first visit until it has been taken over, then goes on as `end` says."""

    type = "t_zombie"
    label = "Zombie"
    end: Any = returns
    entered: list[int]
    stands: asyncio.Event
    goes_on: asyncio.Event

    @gets_activation
    async def run(self, ctx: Any, config: Any) -> Any:
        self.entered.append(ctx.claim.epoch)
        if len(self.entered) > 1:
            return {"output": "new"}
        self.stands.set()
        await self.goes_on.wait()
        return await self.__class__.end(ctx)


def taken_over(end: Any, times: int = 1) -> tuple[Lab, type[Zombie], RunState]:
    """Play a run whose only node is taken over while it stands still; return what came of it."""
    kept: list[Any] = []

    @virtually
    async def play() -> None:
        cls: Any = type(
            "OneZombie", (Zombie,), {"end": staticmethod(end), "entered": [], "__doc__": "Z."}
        )
        cls.stands, cls.goes_on = asyncio.Event(), asyncio.Event()
        types = node_types()
        types.register(cls)
        nodes: list[dict[str, Any]] = [
            {"id": "it", "type": "t_zombie", "failure_policy": {"timeout_ms": 5_000}},
            {"id": "child", "type": "t_child"},
        ]
        lab = Lab(document(nodes, "__start__ > it", "it > __end__"), types=types)
        await lab.begin()
        await cls.stands.wait()
        for _ in range(times):
            await lab.runner.take_over("r")
        cls.goes_on.set()
        kept.extend([lab, cls, await lab.runner.settled("r")])

    play()
    return kept[0], kept[1], kept[2]


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)
def test_who_was_taken_over_records_nothing(end: Any) -> None:
    """The log goes on as if the old execution had stopped when it was taken over."""
    lab, cls, state = taken_over(end)
    log = [e.type for e in lab.medium.logs["r"] if e.key == "it#1"]

    assert cls.entered == [1, 2]
    assert (state.status, state.outputs.get("it")) == ("completed", "new")
    assert log.count("NodeStarted") == 2
    assert log[log.index("NodeStarted") + 1 :] == ["NodeStarted", "NodeCompleted"]
    assert lab.world.executed == {}
    assert lab.world.charges == {}
    assert lab.broken == []


def test_a_claim_that_was_taken_over_before_it_began_never_begins() -> None:
    """Of two takeovers in a row the second executes; the first would work for nothing."""
    _lab, cls, state = taken_over(returns, times=2)

    assert cls.entered == [1, 3]
    assert state.outputs["it"] == "new"
