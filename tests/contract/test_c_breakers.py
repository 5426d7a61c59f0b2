"""Rows C25 to C28: circuit breakers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.errors import NodeError
from engine.core.graph.document import CircuitBreakerPolicy, parse_document
from engine.core.node_types.registry import NODE_TYPES
from engine.core.state.breakers import Breaker, MemoryBreakers
from engine.core.state.program import Program
from engine.core.state.requests import StartRun
from engine.core.state.run_state import RunState
from engine.local import Local
from engine.nodes.http_request import HttpRequestNode
from tests.contract.failing import Target, busy
from tests.contract.harness import agent, doc, fn, node, run, started, tool

ON = {"enabled": True, "failure_threshold": 2, "success_threshold": 2, "timeout_ms": 1000}


def guarded(**breaker: Any) -> dict[str, Any]:
    policy = {"max_retries": 0, "circuit_breaker": {**ON, **breaker}}
    return doc([fn("a", policy=policy)])


class Runs:
    """Runs of one document, one after the other, in one process with a clock that can be moved."""

    def __init__(self, document: dict[str, Any], target: Target) -> None:
        self.document = document
        self.target = target
        self.local: Local
        self.count = 0

    async def next(self) -> RunState:
        """Return the next run once it rests."""
        if not self.count:
            self.local, _ = await started(
                self.document, handlers={"a": self.target.call}, settle=False
            )
        self.count += 1
        name = "r" if self.count == 1 else f"r{self.count}"
        if self.count > 1:
            [program] = self.local.graphs._programs.values()
            await self.local.runner.start(StartRun(run_id=name, graph_id="g"), program)
        return await self.local.runner.settled(name)

    async def codes(self, count: int) -> list[str]:
        """Return how the next runs end: `ok`, or the code of their error."""
        ends = [await self.next() for _ in range(count)]
        return ["ok" if s.error is None else s.error["code"] for s in ends]

    async def log(self, number: int) -> list[str]:
        events = await self.local.store.events("r" if number == 1 else f"r{number}")
        return [e.type for e in events]

    def later(self, ms: int) -> None:
        self.local.clock.offset_ms += ms

    def breaker(self) -> Breaker:
        [found] = self.local.store.breakers.all()
        return found


def test_a_breaker_is_off_by_default() -> None:
    """C25."""
    policy = {"max_retries": 0}
    graph = doc(
        [fn("a", policy=policy)],
        ["__start__ -> a", ("a", "a", {"on": "failed"})],
        limits={"max_iterations": 20},
    )
    target = Target(*[busy()] * 30)
    done = run(graph, handlers={"a": target.call})

    assert (target.calls, len(done.of("NodeFailed"))) == (20, 20)
    assert CircuitBreakerPolicy().enabled is False
    assert "CircuitOpen" not in str(done.events)


async def test_failures_in_a_row_open_it() -> None:
    """C26."""
    runs = Runs(guarded(failure_threshold=5), Target(*[busy()] * 4, "ok", *[busy()] * 9))

    assert await runs.codes(9) == [*["Busy"] * 4, "ok", *["Busy"] * 4]
    assert runs.breaker().state == "closed"
    assert await runs.codes(2) == ["Busy", "CircuitOpen"]
    assert "CircuitOpened" in await runs.log(10)
    assert CircuitBreakerPolicy().failure_threshold == 5


def test_attempts_count_one_by_one() -> None:
    """C26: The circuit opens between two attempts of one activation: the next one is not made."""
    policy = {"max_retries": 9, "circuit_breaker": ON}
    target = Target(*[busy()] * 9)
    done = run(doc([fn("a", policy=policy)]), handlers={"a": target.call})

    assert (done.code, target.calls, done.activation("a")["attempts"]) == ("CircuitOpen", 2, 2)
    [opened] = done.of("CircuitOpened", "a")
    assert (opened["target"], opened["failures"]) == ("a", 2)


@pytest.mark.parametrize(
    "failure", [busy(retryable=False), NodeError("NotEligible", "no"), {"dta": 1}]
)
async def test_what_is_not_the_targets_fault_does_not_count(failure: Any) -> None:
    """C26."""

    async def handler(ctx: Any, params: Any) -> Any:
        if isinstance(failure, Exception):
            raise failure
        return failure

    local, _ = await started(guarded(), handlers={"a": handler})
    [program] = local.graphs._programs.values()
    for number in range(4):
        name = f"n{number}"
        await local.runner.start(StartRun(run_id=name, graph_id="g"), program)
        state = await local.runner.settled(name)
        assert state.error is not None and state.error["code"] != "CircuitOpen"
    await local.runner.close()


async def test_two_successes_in_half_open_close_it() -> None:
    """C27."""
    runs = Runs(guarded(), Target(busy(), busy(), "ok", "ok", busy(), "ok"))
    assert await runs.codes(3) == ["Busy", "Busy", "CircuitOpen"]

    runs.later(1001)
    assert await runs.codes(1) == ["ok"]
    assert runs.breaker().state == "half_open"
    assert await runs.codes(1) == ["ok"]
    assert runs.breaker().state == "closed"
    assert "CircuitClosed" in await runs.log(5)
    assert await runs.codes(2) == ["Busy", "ok"]
    assert CircuitBreakerPolicy().success_threshold == 2


async def test_a_failure_in_half_open_reopens_it() -> None:
    """C27."""
    runs = Runs(guarded(), Target(busy(), busy(), "ok", busy(), "ok", "ok"))
    await runs.codes(2)
    runs.later(1001)

    assert await runs.codes(3) == ["ok", "Busy", "CircuitOpen"]
    runs.later(1001)
    assert await runs.codes(1) == ["ok"]
    assert runs.breaker().state == "half_open"  # the success of before does not count
    assert await runs.codes(1) == ["ok"]
    assert runs.breaker().state == "closed"


async def test_it_is_kept_across_runs_and_an_operator_resets_it() -> None:
    """C28."""
    runs = Runs(guarded(), Target(busy(), busy()))
    await runs.codes(2)
    assert await runs.codes(1) == ["CircuitOpen"]
    assert runs.target.calls == 2
    assert "NodeStarted" not in await runs.log(3)

    assert await runs.local.runner.reset_breaker(runs.breaker().id)
    assert await runs.codes(1) == ["ok"]
    assert runs.target.calls == 3
    assert not await runs.local.runner.reset_breaker("nobody")
    assert CircuitBreakerPolicy().timeout_ms == 60_000


def test_one_probe_at_a_time() -> None:
    """C28."""
    breaker, policy = Breaker("b", None, "g", "n", "t"), CircuitBreakerPolicy(timeout_ms=100)
    for _ in range(5):
        breaker.failed(policy, 0)

    assert not breaker.admits(policy, "one", 99)
    assert breaker.admits(policy, "one", 100)
    assert not breaker.admits(policy, "two", 150)
    assert breaker.admits(policy, "two", 201)  # the first says nothing any more
    assert not breaker.counts("one")
    assert breaker.counts("two")


async def test_runs_side_by_side_send_one_probe() -> None:
    """C28."""
    entered, go_on, calls = asyncio.Event(), asyncio.Event(), []

    async def handler(ctx: Any, params: Any) -> Any:
        calls.append(ctx.run_id)
        if len(calls) == 1:
            raise busy()
        entered.set()
        await go_on.wait()
        return {}

    local, _ = await started(guarded(failure_threshold=1), handlers={"a": handler})
    [program] = local.graphs._programs.values()
    local.clock.offset_ms += 1001
    await local.runner.start(StartRun(run_id="probe", graph_id="g"), program)
    await entered.wait()
    await local.runner.start(StartRun(run_id="beside", graph_id="g"), program)
    beside = await local.runner.settled("beside")
    go_on.set()
    probe = await local.runner.settled("probe")

    assert beside.error is not None
    assert (beside.error["code"], probe.status, calls) == (
        "CircuitOpen",
        "completed",
        ["r", "probe"],
    )
    await local.runner.close()


async def test_a_refused_attempt_may_take_the_failure_edge() -> None:
    """C28, C32."""
    graph = guarded(failure_threshold=1)
    graph["nodes"].append(fn("b", config={"handler": "a"}))
    graph["edges"].append({"source": "a", "target": "b", "on": "failed"})
    runs = Runs(graph, Target(busy()))

    assert await runs.codes(2) == ["ok", "ok"]
    assert runs.target.calls == 3  # the second run's `a` did not call
    assert [b.node for b in runs.local.store.breakers.all()] == ["a"]


def test_the_target_is_what_the_node_calls() -> None:
    """C28."""
    graph = doc(
        [
            agent("m"),
            fn("f"),
            tool("t", "files/read"),
            node("d", "delay", config={"duration_ms": 1}),
            node("h", "http_request", config={"url": "https://api.example:8443/a/{{ input }}?q=1"}),
        ]
    )
    spec, _ = parse_document(graph)
    assert spec is not None
    program = Program(spec, NODE_TYPES)
    targets = {
        plan.id: plan.type.target_of(plan.config)
        for plan in (program.plan(name) for name in "mftdh")
    }
    assert targets == {
        "m": "x",
        "f": "f",
        "t": "files/read",
        "d": "delay",
        "h": "https://api.example:8443",
    }
    template = HttpRequestNode.Config(url="https://{{ input }}/x")
    assert HttpRequestNode().target_of(template) == "https://{{ input }}/x"


def test_breakers_are_apart_by_workspace_graph_node_and_target() -> None:
    """C28."""
    known = MemoryBreakers()
    places: Sequence[tuple[str | None, str, str, str]] = [
        (None, "g", "n", "t"),
        ("w", "g", "n", "t"),
        (None, "h", "n", "t"),
        (None, "g", "m", "t"),
        (None, "g", "n", "u"),
    ]

    assert len({known.get(*place).id for place in places}) == 5
    assert known.get(None, "g", "n", "t") is known.get(None, "g", "n", "t")
