"""Row C33: what ran beside the failed node is reused, and nothing is sent again unasked."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.local import Local
from tests.contract.failing import Target, busy
from tests.contract.harness import Edge, doc, fn, node, started, tool

DIAMOND = ["__start__ -> a", "a -> b -> d", "a -> c -> d"]


def sends(*replies: dict[str, Any]) -> dict[str, Any]:
    """Return a script with the tool `send`, which changes something outside."""
    first, *rest = replies
    return {"tools": {"send": [{**first, "effect_class": "unsafe"}, *rest]}}


def sent(local: Local) -> int:
    assert local.scripted_tools is not None
    return len(local.scripted_tools.calls)


async def path(local: Local, run_id: str) -> list[str | None]:
    """Return the nodes of a run that completed, once it has ended."""
    state = await local.runner.settled(run_id)
    assert state.status == "completed", state.error
    return [e.node for e in await local.store.events(run_id) if e.type == "NodeCompleted"]


async def test_what_completed_beside_the_failed_node_is_reused() -> None:
    """C33: A branch that completed beside the failed node is not run again by a retry."""
    passed, beside = asyncio.Event(), Target()

    async def fails_once(_ctx: Any, _params: Any) -> Any:
        if not passed.is_set():
            await passed.wait()
            raise busy(retryable=False)
        return {"output": "b"}

    async def lets_it_fail(_ctx: Any, _params: Any) -> Any:
        passed.set()

    edges = ["__start__ -> a", "a -> b -> d", "a -> c -> e -> d"]
    handlers = {
        "a": Target().call,
        "b": fails_once,
        "c": beside.call,
        "d": Target().call,
        "e": lets_it_fail,
    }
    local, first = await started(doc([fn(n) for n in "abcde"], edges), handlers=handlers)

    second = await local.runner.retry(first, "ann")

    assert sorted(str(n) for n in await path(local, second)) == ["a", "b", "c", "d", "e"]
    assert beside.calls == 1
    await local.runner.close()


async def test_a_call_that_ended_after_the_failure_is_not_made_again() -> None:
    """C33: A call under way beside the failed node is recorded as the run ends, and reused."""
    b = Target(busy(retryable=False))
    handlers = {"a": Target().call, "b": b.call, "d": Target().call}
    drawn = doc([fn("a"), fn("b"), tool("c", "send"), fn("d")], DIAMOND)
    script = sends({"result": "gone", "delay_ms": 100}, {"result": "twice"})
    local, first = await started(drawn, script, handlers=handlers)
    events = await local.store.events(first)
    order = [e.type for e in events if e.type in ("RunEnding", "StepCompleted")]
    assert order == ["RunEnding", "StepCompleted"]

    second = await local.runner.retry(first, "ann")

    assert sorted(str(n) for n in await path(local, second)) == ["a", "b", "c", "d"]
    state = await local.store.state(second)
    assert (sent(local), state.memory["c_result"], b.calls) == (1, "gone", 2)
    await local.runner.close()


async def test_a_retry_asks_before_it_sends_again_what_succeeded() -> None:
    """C33: Where the failed node changed something outside, a retry is refused until accepted."""
    failing = [True]

    async def send_and_fail(ctx: Any, _params: Any) -> Any:
        out = await ctx.call_tool("send", {"to": "bob"})
        if failing.pop() if failing else False:
            raise busy(retryable=False)
        return {"output": out}

    script = sends({"result": 1}, {"result": 2})
    local, first = await started(doc([fn("b")]), script, handlers={"b": send_and_fail})
    with pytest.raises(RequestRefused) as refused:
        await local.runner.retry(first, "ann")
    assert refused.value.code == "ForkResends"
    resent = refused.value.detail["plan"]["resent"]
    assert [(c["tool"], c["arguments"], c["outcome"]) for c in resent] == [
        ("send", {"to": "bob"}, "completed")
    ]
    assert sent(local) == 1

    second = await local.runner.retry(first, "ann", resend=True)
    assert await path(local, second) == ["b"]
    assert sent(local) == 2
    await local.runner.close()


async def test_a_call_that_failed_is_retried_without_a_question() -> None:
    """C33: A call that reported failure is what a retry is for: nobody is asked."""
    drawn = doc([tool("t", "send", policy={"max_retries": 0})])
    local, first = await started(drawn, sends({"error": {"message": "no"}}, {"result": 2}))

    second = await local.runner.retry(first, "ann")

    assert await path(local, second) == ["t"]
    await local.runner.close()


async def test_a_run_that_no_node_ended_is_not_retried_from_a_map() -> None:
    """C33: An item that a map could do without is not the node that failed the run."""
    mapper = node("m", "map", config={"worker_node_id": "w", "static_items": [1]})
    edges: list[Edge] = ["__start__ -> m", ("m", "z", {"condition": "false"})]
    drawn = doc([mapper, fn("w", policy={"max_retries": 0}), fn("z")], edges)
    local, first = await started(drawn, handlers={"w": Target(busy()).call, "z": Target().call})
    error = (await local.runner.settled(first)).error
    assert error is not None and error["code"] == "NoMatchingEdge"

    with pytest.raises(RequestRefused) as refused:
        await local.runner.retry(first, "ann")

    assert (refused.value.code, "fork it" in str(refused.value)) == ("RunNotRetryable", True)
    await local.runner.close()
