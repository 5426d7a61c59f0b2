"""Row I22: a question of a node that works on something else as well."""

from __future__ import annotations

import asyncio
from typing import Any

from engine.core.effects import EffectClass
from tests.contract.harness import doc, fn, started
from tests.contract.questions import opened, refused


async def test_a_question_closes_with_its_run_while_its_node_is_busy() -> None:
    """I22: Cancelling closes a question at once, also where a call beside it is still under way."""
    entered, go_on = asyncio.Event(), asyncio.Event()

    async def call(_key: str) -> str:
        entered.set()
        await go_on.wait()
        return "done"

    async def both(ctx: Any, params: Any) -> Any:
        async def asks() -> Any:
            return await ctx.interrupt({"kind": "text", "question": "?"})

        async def works() -> Any:
            await ctx.sleep(1)
            return await ctx.perform("work", {}, EffectClass.READ, call)

        return {"output": await ctx.gather([asks, works])}

    graph = doc([fn("a", "both")])
    local, _run = await started(graph, handlers={"both": both}, settle=False)
    await entered.wait()
    request = opened(local)
    await local.runner.cancel("r", "ann")
    state = local.store.peek("r")
    assert state is not None
    left, status = list(state.interrupts), state.status
    code = await refused(local, request, selected="x")
    go_on.set()
    ended = await local.runner.settled("r")
    log = await local.store.events("r")
    outcomes = [e.data["outcome"] for e in log if e.type == "InterruptResolved"]

    assert (status, left, code) == ("ending", [], "InterruptClosed")
    assert (ended.status, outcomes) == ("cancelled", ["superseded"])
    await local.runner.close()
