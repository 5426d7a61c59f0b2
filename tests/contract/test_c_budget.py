"""Rows C.4: budgets."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from engine.core.graph.document import parse_document
from tests.contract.harness import Edge, agent, check, doc, fn, node, run
from tests.contract.scripts import understate


def used(tokens: int, text: str = "ok") -> dict[str, Any]:
    """Return a reply that uses so many tokens."""
    return {"text": text, "usage": {"input_tokens": tokens, "output_tokens": 0}}


def capped(name: str = "a", **budget: Any) -> dict[str, Any]:
    return agent(name, budget=budget)


PRICE = {"prices": {"input_per_million": "1000.00"}}  # 0.001 USD a token


def test_a_cap_covers_all_attempts_and_calls_of_an_execution() -> None:
    """C40."""

    async def asks(ctx: Any, params: Any) -> Any:
        for n in range(5):
            await ctx.reason("x", f"Pass {n}.")
        return {}

    graph = doc([fn("a", "asks", budget={"max_tokens": 25})], agents=[{"id": "x"}])
    failed = run(graph, {"default": [used(10)] * 5}, handlers={"asks": asks})
    retried = run(
        doc([capped(max_tokens=25)]),
        {"default": [used(10) | {"text": "x"}, used(10)]},
    )

    assert (failed.code, len(failed.models)) == ("NodeBudgetExceeded", 2)
    assert failed.report["spend"]["tokens"] == 20
    assert retried.exit == 0


def test_each_visit_has_the_whole_cap() -> None:
    """C40."""
    graph = doc(
        [capped(max_tokens=10)],
        ["__start__ -> a", ("a", "a", {"condition": "outputs.a != 'end'"}), ("a", "__end__", {})],
    )

    assert run(graph, {"default": [used(10), used(10, "end")]}).path == ["a", "a"]


@pytest.mark.parametrize("budget", [{"max_tokens": 9}, {"max_cost_usd": "0.009"}])
def test_a_call_that_does_not_fit_is_not_made(budget: dict[str, Any]) -> None:
    """C41."""
    nodes = [capped(**budget), fn("b")]
    graph = doc(nodes, ["__start__ -> a", ("a", "b", {"on": "failed"})])
    script = {"default": [used(10)], **PRICE, "functions": {"b": {"returns": {}}}}
    failed = run(graph, script)

    assert (failed.code, failed.status, failed.exit) == ("NodeBudgetExceeded", "failed", 1)
    assert (failed.models, failed.path) == ([], ["a"])
    assert failed.activation("a")["attempts"] == 1
    detail = failed.report["error"]["detail"]
    assert detail["level"] == "node"
    assert (detail["spent_tokens"], detail["asked_tokens"]) == (0, 10)
    limit = budget.get("max_tokens", budget.get("max_cost_usd"))
    assert str(limit) in failed.report["error"]["message"]


def test_exactly_reaching_a_cap_fits() -> None:
    """C41."""
    assert run(doc([capped(max_tokens=10)]), {"default": [used(10)]}).exit == 0


def test_usage_above_a_cap_is_recorded_in_full_and_is_a_breach() -> None:
    """C41."""
    failed = run(doc([capped(max_tokens=5)]), {"default": [used(10)]}, observe=understate)

    assert (failed.code, failed.report["spend"]["tokens"]) == ("NodeBudgetExceeded", 10)
    assert failed.activation("a")["attempts"] == 1


def test_run_limits_hold_by_themselves_and_thresholds_fire_once() -> None:
    """C43."""
    nodes = [agent("a"), agent("b"), agent("c")]
    graph = doc(nodes, limits={"max_token_budget": 100})
    failed = run(graph, {"default": [used(95), used(3), used(10)]})

    assert (failed.code, failed.path) == ("RunBudgetExceeded", ["a", "b", "c"])
    reached = failed.of("BudgetThresholdReached")
    assert [(e["level"], e["threshold"]) for e in reached] == [("run", n) for n in (50, 75, 90)]
    assert len(failed.models) == 2


def test_a_money_limit_of_the_run() -> None:
    """C43."""
    graph = doc([agent("a"), agent("b")], limits={"budget_usd": "0.015"})
    script = {"default": [used(10), used(10)], **PRICE}
    failed = run(graph, script)
    raised = run(graph, script, flags=["--budget-usd", "0.02"])
    narrowed = run(graph, script, flags=["--max-tokens", "5"])

    assert (failed.code, failed.report["spend"]["cost_usd"]) == ("RunBudgetExceeded", "0.010000")
    assert raised.exit == 0
    assert [e["threshold"] for e in raised.of("BudgetThresholdReached")] == [50, 75, 90, 100]
    assert (narrowed.code, narrowed.models) == ("RunBudgetExceeded", [])


@pytest.mark.parametrize(
    ("graph_id", "code"),
    [
        ("main", "GraphBudgetExceeded"),
        (None, "WorkspaceBudgetExceeded"),
    ],
)
def test_limits_of_graph_and_workspace(graph_id: str | None, code: str) -> None:
    """C43."""
    from engine.core.budgets.shared import SharedBudget, SharedBudgets

    graph = doc([agent("a"), agent("b")])
    limit = SharedBudget("1", None, graph_id and graph["id"], "day", limit_tokens=15)

    def observe(local: Any) -> None:
        local.store.ledger.shared = SharedBudgets([limit])

    failed = run(graph, {"default": [used(10)] * 2}, observe=observe)

    assert (failed.code, len(failed.models)) == (code, 1)


def test_parallel_calls_cannot_pass_a_limit_together() -> None:
    """C43."""
    nodes = [agent(n) for n in "abc"]
    graph = doc(nodes, [f"__start__ -> {n}" for n in "abc"], limits={"max_token_budget": 20})
    slow = {**used(10), "delay_ms": 30}
    failed = run(graph, {"default": [slow] * 3})

    assert failed.code == "RunBudgetExceeded"
    assert failed.report["spend"]["tokens"] <= 20


@pytest.mark.parametrize("amount", [0.10, "0.10"])
def test_amounts_may_be_numbers_or_text_and_are_decimal(amount: Any) -> None:
    """C44."""
    graph = doc([capped("reflect", max_tokens=20_000, max_cost_usd=amount)])
    spec, problems = parse_document(graph)

    assert problems == []
    assert spec is not None
    assert spec.nodes[0].budget is not None
    assert spec.nodes[0].budget.max_cost_usd == Decimal("0.10")
    assert check(graph).exit == 0


def test_ask_puts_the_breach_to_a_person() -> None:
    """C45."""

    async def asks(ctx: Any, params: Any) -> Any:
        return [(await ctx.reason("x", f"Pass {n}.")).text for n in range(2)]

    budget = {"max_tokens": 15, "on_breach": "ask"}
    graph = doc([fn("a", "asks", budget=budget)], agents=[{"id": "x"}])
    script = {"default": [used(10, "1"), used(10, "2")]}
    waiting = run(graph, script, handlers={"asks": asks})
    raised = run(
        graph, script, {"a": [{"decision": "raise", "max_tokens": 20}]}, handlers={"asks": asks}
    )
    stopped = run(graph, script, {"a": [{"decision": "stop"}]}, handlers={"asks": asks})
    refused = run(
        graph, script, {"a": [{"decision": "raise", "max_tokens": 1}]}, handlers={"asks": asks}
    )

    assert (waiting.exit, waiting.report["interrupts"][0]["kind"]) == (3, "budget")
    assert (raised.exit, raised.outputs["a"], len(raised.models)) == (0, ["1", "2"], 2)
    assert raised.report["spend"]["tokens"] == 20
    assert (stopped.code, len(stopped.models)) == ("NodeBudgetExceeded", 1)
    assert (refused.exit, refused.codes) == (3, ["AnswerInvalid"])


def test_raising_by_nothing_named_raises_by_what_is_short() -> None:
    """C45."""
    graph = doc([capped(max_tokens=5, on_breach="ask")])
    done = run(graph, {"default": [used(10)]}, {"a": [{"decision": "raise"}]})

    assert (done.exit, done.outputs) == (0, {"a": "ok"})


def test_fallback_asks_a_cheaper_agent() -> None:
    """C45."""
    graph = doc(
        [capped(max_tokens=15, on_breach="fallback", fallback_agent_id="cheap")],
        agents=[{"id": "x"}, {"id": "cheap", "model": "p/small"}],
    )
    done = run(graph, {"agents": {"x": [used(100)], "cheap": [used(10, "cheap")]}})

    assert (done.exit, done.outputs) == (0, {"a": "cheap"})
    assert [c.request.model for c in done.models] == ["p/small"]
    broke = run(graph, {"agents": {"x": [used(100)], "cheap": [used(100)]}})
    assert (broke.code, broke.models) == ("NodeBudgetExceeded", [])


def test_an_unknown_price_is_refused() -> None:
    """C45."""

    def observe(local: Any) -> None:
        local.models.script = local.models.script.model_copy()
        object.__setattr__(local.models.script, "price", lambda: None)

    failed = run(doc([agent("a")]), {"default": [used(10)]}, observe=observe)

    assert (failed.code, failed.models) == ("PriceUnknown", [])
    assert failed.activation("a")["attempts"] == 1


def test_a_cap_passed_below_a_map_fails_the_map() -> None:
    """C40, C41: A cap passed below a map fails the map, along no failure edge."""
    over = {"worker_node_id": "a", "static_items": [1, 2, 3], "max_concurrency": 1}
    mapper = node("m", "map", config=over, budget={"max_tokens": 25})
    edges: list[Edge] = ["__start__ -> m", ("m", "b", {"on": "failed"})]
    graph = doc([mapper, agent("a"), fn("b")], edges)
    failed = run(graph, {"default": [used(10)] * 3, "functions": {"b": {"returns": {}}}})

    assert (failed.code, failed.report["error"]["node"]) == ("NodeBudgetExceeded", "m")
    assert failed.path == ["a[0]", "a[1]", "a[2]", "m"]
    assert failed.activation("m")["status"] == "failed"
    assert failed.report["spend"]["tokens"] == 20


def test_usage_beside_an_error_is_charged() -> None:
    """C30."""
    error = {"error": {"status": 500, "message": "late"}, "usage": used(100)["usage"]}
    graph = doc([capped() | {"failure_policy": {"initial_backoff_ms": 1}}])
    done = run(graph, {"default": [error, used(10)], **PRICE})
    free = run(graph, {"default": [{"error": {"status": 500}}, used(10)], **PRICE})

    assert (done.status, done.report["spend"]["by_node"]["a"]["tokens"]) == ("completed", 110)
    assert [e["tokens"] for e in done.of("StepFailed")] == [100]
    assert free.report["spend"]["tokens"] == 10
