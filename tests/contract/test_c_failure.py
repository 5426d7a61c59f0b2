"""Rows C.3: failure policy, retries, timeouts."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.core.decide.backoff import backoff_ms
from engine.core.errors import NodeError
from engine.core.graph.document import FailurePolicy
from tests.contract.harness import Outcome, agent, check, doc, fn, node, run, tool

NO = {"error": {"message": "no"}}
OK = {"returns": {"output": "ok"}}


def functions(*replies: Any, **more: Any) -> dict[str, Any]:
    return {"functions": {"a": list(replies), **more}}


@pytest.mark.parametrize(
    ("failures", "attempts", "status"), [(3, 4, "completed"), (9, 4, "failed")]
)
def test_three_retries_by_default(failures: int, attempts: int, status: str) -> None:
    """C20."""
    done = run(doc([fn("a")]), functions(*[NO] * failures, OK))

    assert (done.activation("a")["attempts"], done.status) == (attempts, status)
    failed = done.of("AttemptFailed", "a")
    assert [(e["attempt"], e["max_attempts"]) for e in failed] == [(1, 4), (2, 4), (3, 4)]


@pytest.mark.parametrize(("retries", "fits"), [(0, True), (10, True), (11, False), (-1, False)])
def test_at_most_ten_retries(retries: int, fits: bool) -> None:
    """C20: `max_retries` goes from 0 to 10."""
    codes = check(doc([fn("a", policy={"max_retries": retries})]), functions(OK)).codes

    assert ("InvalidValue" not in codes) == fits


def delays(strategy: str, initial: int, cap: int, retries: int, jitter: float = 0.0) -> list[int]:
    policy = FailurePolicy(
        backoff_strategy=strategy, initial_backoff_ms=initial, max_backoff_ms=cap
    )
    return [backoff_ms(policy, n, jitter) for n in range(1, retries + 1)]


def test_strategies() -> None:
    """C21."""
    assert delays("exponential", 100, 300, 3) == [100, 200, 300]
    assert delays("linear", 100, 300, 3) == [100, 200, 300]
    assert delays("fixed", 100, 300, 3) == [100, 100, 100]
    assert FailurePolicy().backoff_strategy == "exponential"


def test_the_first_delay_is_a_second_by_default() -> None:
    """C22."""
    assert backoff_ms(FailurePolicy(), 1, 0.0) == 1000
    assert FailurePolicy().max_backoff_ms == 60_000


def test_no_computed_delay_exceeds_the_cap() -> None:
    """C23."""
    assert delays("exponential", 1000, 60_000, 8, jitter=0.999)[-1] == 60_000
    assert max(delays("linear", 50_000, 60_000, 8, jitter=0.999)) == 60_000


def test_a_timeout_ends_one_attempt() -> None:
    """C24."""
    slow = {"text": "late", "delay_ms": 200}
    failed = run(doc([agent("a", policy={"timeout_ms": 30})]), {"default": [slow] * 4})
    paused = node("d", "delay", config={"duration_ms": 200}, policy={"timeout_ms": 30})
    waited = run(doc([paused]))
    fine = node("d", "delay", config={"duration_ms": 20}, policy={"timeout_ms": 5000})

    for done, name in ((failed, "a"), (waited, "d")):
        assert (done.code, done.activation(name)["attempts"]) == ("NodeTimeout", 4)
        codes = [e["error"]["code"] for e in done.of("AttemptFailed", name)]
        assert codes == ["NodeTimeout"] * 3
    assert run(doc([fine])).exit == 0


def test_time_with_people_does_not_count() -> None:
    """C24."""
    asked = node(
        "q", "question", config={"question": "?", "timeout_ms": 90_000}, policy={"timeout_ms": 40}
    )
    done = run(doc([asked]), decide={"q": [{"expire": True}]})

    assert done.code == "InterruptExpired"


def test_an_unsafe_call_in_flight_goes_to_a_person() -> None:
    """C24."""
    tools = {"send": [{"result": 1, "delay_ms": 3000, "effect_class": "unsafe"}, {"result": 2}]}
    graph = doc([tool("t", "send", policy={"timeout_ms": 300})])
    parked = run(graph, {"tools": tools})

    assert (parked.exit, len(parked.tools)) == (3, 1)
    assert parked.report["interrupts"][0]["kind"] == "in_doubt"
    assert parked.activation("t")["status"] == "in_doubt"
    happened = run(graph, {"tools": tools}, {"t": [{"decision": "happened", "result": 9}]})
    assert (happened.exit, happened.outputs["t"], len(happened.tools)) == (0, 9, 1)
    again = run(graph, {"tools": tools}, {"t": [{"decision": "retry"}]})
    assert (again.exit, again.outputs["t"], len(again.tools)) == (0, 2, 2)
    skipped = run(graph, {"tools": tools}, {"t": [{"decision": "skip"}]})
    assert (skipped.exit, skipped.activation("t")["status"]) == (0, "skipped")


def test_no_breaker_by_default() -> None:
    """C25."""
    graph = doc(
        [fn("a", policy={"max_retries": 0})],
        ["__start__ -> a", ("a", "a", {"on": "failed"})],
        limits={"max_iterations": 20},
    )
    failed = run(graph, functions(*[NO] * 20))

    assert len(failed.of("NodeFailed", "a")) == 20
    assert "CircuitOpen" not in str(failed.events)


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_hopeless_provider_errors_are_not_retried(status: int) -> None:
    """C29."""
    error = {"error": {"status": status, "message": "no"}}
    failed = run(doc([agent("a")]), {"default": [error] * 4})

    assert (failed.code, failed.activation("a")["attempts"]) == ("ProviderRejected", 1)


@pytest.mark.parametrize("status", [408, 429, 500, 503, None])
def test_passing_provider_errors_are_retried(status: int | None) -> None:
    """C29."""
    error = {"error": {"message": "no"} | ({} if status is None else {"status": status})}
    failed = run(doc([agent("a")]), {"default": [error] * 4})

    assert (failed.code, failed.activation("a")["attempts"]) == ("ProviderUnavailable", 4)


def test_a_script_that_ran_out_is_not_retried() -> None:
    """C29."""
    failed = run(doc([agent("a")]), {"default": []})
    function = run(doc([fn("a"), fn("b", "a")]), functions(OK))
    tools = run(doc([tool("t", "x")]), {"tools": {"x": []}})

    assert (failed.code, failed.activation("a")["attempts"]) == ("ScriptExhausted", 1)
    assert (function.code, function.activation("b")["attempts"]) == ("ScriptExhausted", 1)
    assert (tools.code, tools.activation("t")["attempts"]) == ("ScriptExhausted", 1)


def test_failed_attempts_are_paid() -> None:
    """C30."""
    reply = {"text": "bad", "usage": {"input_tokens": 100, "output_tokens": 20}}
    graph = doc(
        [agent("a", writes=["k"], config={"repair_turns": 0})],
        state_schema={"type": "object", "properties": {"k": {"type": "string"}}},
    )
    prices = {"input_per_million": "1.00", "output_per_million": "2.00"}
    failed = run(graph, {"default": [reply], "prices": prices})

    assert failed.status == "failed"
    by_node = failed.report["spend"]["by_node"]["a"]
    assert by_node == {"tokens": 120, "cost_usd": "0.000140", "attempts": 1}
    assert failed.report["spend"]["cost_usd"] == "0.000140"


def test_jitter_is_at_most_a_tenth() -> None:
    """C31."""
    chance = random.Random(7)
    drawn = [delays("exponential", 1000, 60_000, 1, chance.random())[0] for _ in range(1000)]

    assert 1000 <= min(drawn) < 1010
    assert 1090 < max(drawn) <= 1100
    assert set(delays("fixed", 1000, 60_000, 5, 0.9)) == {1000}


def test_retry_after_replaces_the_delay() -> None:
    """C31."""
    policy = FailurePolicy(initial_backoff_ms=100, max_backoff_ms=200)

    assert backoff_ms(policy, 1, 0.0, 5_000) == 5_000
    assert backoff_ms(policy, 1, 0.0, 50) == 100
    assert backoff_ms(policy, 1, 0.0, 99_000_000) == 3_600_000
    asked = {"error": {"status": 429, "message": "slow down", "retry_after_ms": 70}}
    done = run(doc([agent("a")]), {"default": [asked, {"text": "ok"}]})
    assert done.exit == 0
    failed, begun = done.of("AttemptFailed")[0], done.of("NodeStarted", "a")[1]
    assert _ms(begun["at"]) - _ms(failed["at"]) >= 70


def _ms(at: str) -> float:
    from datetime import datetime

    return datetime.fromisoformat(at).timestamp() * 1000


def test_a_failure_edge_goes_on() -> None:
    """C32."""
    nodes = [fn("a", policy={"max_retries": 1}), fn("b"), fn("c", "b")]
    script = functions(NO, NO, b={"returns": {}})
    drawn = run(doc(nodes, ["__start__ -> a -> c", ("a", "b", {"on": "failed"})]), script)
    bare = run(doc(nodes[:1]), script)

    assert (drawn.exit, drawn.path) == (0, ["a", "b"])
    assert drawn.activation("a")["status"] == "failed"
    assert drawn.activation("a")["attempts"] == 2
    assert (bare.status, bare.exit, bare.code) == ("failed", 1, "HandlerFailed")
    assert bare.report["error"]["node"] == "a"


def twice(body: Any, **script: Any) -> Outcome:
    """Run a handler whose body may fail the first attempt."""
    attempts: list[int] = []

    async def handler(ctx: Any, params: Any) -> Any:
        attempts.append(ctx.attempt)
        return await body(ctx, len(attempts))

    graph = doc([fn("a", "handler")], agents=[{"id": "x"}])
    return run(graph, script, handlers={"handler": handler})


def test_a_retry_replays_what_was_done() -> None:
    """C34."""

    async def body(ctx: Any, number: int) -> Any:
        thought = await ctx.reason("x", "Think.")
        return [thought.text, await ctx.call_tool("t", {"n": 1})]

    done = twice(
        body,
        default=[{"text": "once"}, {"text": "twice"}],
        tools={"t": [{"error": {"message": "no"}}, {"result": 7}]},
    )

    assert done.outputs["a"] == ["once", 7]
    assert (len(done.models), len(done.tools)) == (1, 2)
    assert done.activation("a")["attempts"] == 2


@pytest.mark.parametrize("effect", ["unsafe", "keyed"])
def test_an_unsafe_call_that_was_made_is_never_made_again(effect: str) -> None:
    """C34."""

    async def body(ctx: Any, number: int) -> Any:
        await ctx.reason("x", "Think.")
        sent = await ctx.call_tool("t", {"n": 1})
        if number == 1:
            raise ValueError("after")
        return sent

    done = twice(
        body,
        default=[{"text": "once"}, {"text": "twice"}],
        tools={"t": [{"result": 7, "effect_class": effect}, {"result": 8}]},
    )

    assert done.outputs["a"] == 7
    assert len(done.tools) == 1
    assert len(done.models) == 1


def test_a_rejected_answer_asks_models_anew_but_sends_nothing_twice() -> None:
    """C34."""

    async def body(ctx: Any, number: int) -> Any:
        said = await ctx.reason("x", "Think.")
        sent = await ctx.call_tool("t", {"n": 1})
        if number == 1:
            raise NodeError("VerificationFailed", "not good", retryable=True)
        return [said.text, sent]

    done = twice(
        body,
        default=[{"text": "once"}, {"text": "twice"}],
        tools={"t": [{"result": 7, "effect_class": "unsafe"}, {"result": 8}]},
    )

    assert done.outputs["a"] == ["twice", 7]
    assert (len(done.models), len(done.tools)) == (2, 1)


def test_from_the_first_difference_on_steps_are_sent_anew() -> None:
    """C34."""

    async def body(ctx: Any, number: int) -> Any:
        said = [
            (await ctx.reason("x", f"Think {n} {number if n == 1 else ''}.")).text for n in range(3)
        ]
        if number == 1:
            raise ValueError("after")
        return said

    done = twice(body, default=[{"text": str(n)} for n in range(5)])

    assert done.outputs["a"] == ["0", "3", "4"]


def test_node_state_set_before_a_failure_does_not_buy_anything_twice() -> None:
    """C34."""

    async def body(ctx: Any, number: int) -> Any:
        await ctx.node_state.set("tries", ctx.node_state.get("tries", 0) + 1)
        said = await ctx.reason("x", "Think.")
        if number == 1:
            raise ValueError("after")
        return [said.text, ctx.node_state.get("tries")]

    done = twice(body, default=[{"text": "once"}, {"text": "twice"}])

    assert done.outputs["a"] == ["once", 2]
