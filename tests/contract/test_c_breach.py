"""Rows C40 and C45: whose policy counts when a budget refuses a call of a child."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import agent, doc, run
from tests.contract.test_c_budget import used

ITEMS = {"static_items": [1, 2], "worker_node_id": "w", "max_concurrency": 1}
AGENTS = [{"id": "x"}, {"id": "cheap", "model": "p/small"}]


def mapping(budget: dict[str, Any], worker: dict[str, Any] | None = None, **more: Any) -> Any:
    """Return a map whose worker spends 10 tokens an item."""
    mapper = {"id": "m", "type": "map", "config": ITEMS, "budget": budget}
    child: dict[str, Any] = agent("w")
    if worker is not None:
        child["budget"] = worker
    child["config"]["agent_id"] = "x"
    return doc([mapper, child], ["__start__ -> m"], agents=AGENTS, **more)


SCRIPT = {"agents": {"x": [used(10), used(10)], "cheap": [used(1), used(1)]}}


def test_a_cap_of_a_composite_asks_for_its_children() -> None:
    """C40, C45: What the map's cap refuses is put to a person as the map says."""
    graph = mapping({"max_tokens": 15, "on_breach": "ask"})
    waiting = run(graph, SCRIPT)
    raised = run(graph, SCRIPT, {"w": [{"decision": "raise", "max_tokens": 20}]})

    assert (waiting.exit, waiting.report["interrupts"][0]["kind"]) == (3, "budget")
    assert (raised.exit, raised.report["memory"]["m_count"]) == (0, 2)
    assert raised.report["spend"]["tokens"] == 20


def test_a_cap_of_a_composite_falls_back_for_its_children() -> None:
    """C40, C45: The cheaper agent is the one that the composite names."""
    budget = {"max_tokens": 15, "on_breach": "fallback", "fallback_agent_id": "cheap"}
    done = run(mapping(budget), SCRIPT)

    assert (done.exit, done.report["spend"]["tokens"]) == (0, 11)
    assert [call.request.model for call in done.models][1] == "p/small"


def test_a_budget_around_follows_the_innermost_policy() -> None:
    """C45: For the run's limit the worker speaks if it has a budget, else the map."""
    limits = {"max_token_budget": 15}
    ask, fail = {"on_breach": "ask"}, {"on_breach": "fail"}

    assert run(mapping(ask, limits=limits), SCRIPT).exit == 3
    assert run(mapping(fail, ask, limits=limits), SCRIPT).exit == 3
    assert run(mapping(ask, fail, limits=limits), SCRIPT).code == "RunBudgetExceeded"


@pytest.mark.parametrize("outer", ["ask", "fail"])
def test_a_workers_own_cap_is_its_own_matter(outer: str) -> None:
    """C40, C45: What the worker's cap refuses is not for the map to say."""
    stopped = run(mapping({"on_breach": outer}, {"max_tokens": 5}), SCRIPT)
    asked = run(mapping({"on_breach": outer}, {"max_tokens": 5, "on_breach": "ask"}), SCRIPT)

    assert stopped.code == "NodeBudgetExceeded"
    assert asked.exit == 3
