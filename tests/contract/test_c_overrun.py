"""Rows C41 and C42: a call of a composite that costs more than what was held for it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import Node, agent, doc, node, run
from tests.contract.scripts import understate, used

SCORES = [{"json": {"score": score}} for score in (0.1, 0.3, 0.5, 0.7)]
PICKS = [{"json": {"next_node": "w"}}] * 4
ANNEALING = agent("it", config={"annealing": {"diminishing_returns_delta": 0}})
SUPERVISOR = node("it", "supervisor", config={"agent_id": "x", "managed_nodes": ["w"]})
EVOLUTION = node(
    "it",
    "evolution",
    config={"candidate_agent_id": "x", "fitness_function": "fit", "population_size": 2},
)
SWARM = agent("it", config={"swarm": {"peer_nodes": ["w"]}})
OVER = [{"json": {"peer_delegation": {"peer_node_id": name}}} for name in ("w", "it") * 2]


@pytest.mark.parametrize(
    ("it", "replies"),
    [(ANNEALING, SCORES), (SUPERVISOR, PICKS), (EVOLUTION, SCORES), (SWARM, OVER)],
    ids=["annealing", "supervisor", "evolution", "swarm"],
)
@pytest.mark.parametrize("level", ["node", "run"])
def test_a_call_dearer_than_its_hold_stops_the_run(
    it: Node, replies: list[dict[str, Any]], level: str
) -> None:
    """C41, C42: Only a pass that was not made ends gracefully; one above the cap is a breach."""
    head = it | ({"budget": {"max_tokens": 25}} if level == "node" else {})
    limits = {"max_token_budget": 25} if level == "run" else {}
    worker = agent("w", config={"swarm": {"peer_nodes": ["it"]}}) if it is SWARM else {}
    worker = worker or node("w", "function", config={"handler": "w"})
    graph = doc(
        [head, worker, node("never", "function", config={"handler": "w"})],
        ["__start__ -> it", ("it", "never", {"on": "failed"})],
        agents=[{"id": "x"}],
        limits=limits,
    )
    script = {
        "default": [used(reply) for reply in replies],
        "functions": {
            "w": {"returns": {"output": "done"}},
            "fit": [{"returns": {"output": score}} for score in (0.1, 0.2, 0.3, 0.4)],
        },
    }
    failed = run(graph, script, observe=understate)

    code = "NodeBudgetExceeded" if level == "node" else "RunBudgetExceeded"
    assert (failed.status, failed.code) == ("failed", code)
    assert (len(failed.models), failed.report["spend"]["tokens"]) == (3, 30)
    assert (failed.report["result"], failed.of("NodeStarted", "never")) == (None, [])
