"""Row C180: whose prompts hold the facts of a `memory_query`, and whose do not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.core.ports import FactSource, NewFact
from engine.integrations.memory.facts import InMemoryFacts
from tests.contract.harness import Doc, Outcome, agent, check, codes, doc, fn, node, run

FACT = "Cherries want eating soon."
QUERY: dict[str, Any] = {"memory_query": {"tags": ["fruit"]}}
DONE = {"json": {"next_node": "__done__"}}
SCORE = {"json": {"score": 0.9, "reasoning": "good", "feedback": "none"}}
VOTE = {"json": {"vote": "a"}}
TEXT = {"text": "done"}


def known() -> InMemoryFacts:
    """Return a store with one fact about fruit."""
    facts = InMemoryFacts()
    source = FactSource("before", "reflect#1", "g", "reflect", 1)
    asyncio.run(facts.store(None, source, [NewFact(FACT, ("fruit",))]))
    return facts


def told(graph: Doc, agents: dict[str, Any], **script: Any) -> dict[str, list[bool]]:
    """Return for each agent, call by call, whether it was told the fact."""
    done: Outcome = run(graph, {"agents": agents, **script}, facts=known())
    found: dict[str, list[bool]] = {}
    for index, call in enumerate(done.models):
        found.setdefault(str(call.origin.agent_id), []).append(FACT in done.prompt(index))
    return found


def named(*names: str) -> list[dict[str, Any]]:
    return [{"id": name} for name in names]


def test_a_supervisor_routes_with_its_facts() -> None:
    """C180: A supervisor routes with its facts; its nodes have queries of their own."""
    config = {"agent_id": "chief", "managed_nodes": ["w"]}
    graph = doc(
        [node("boss", "supervisor", config=config, **QUERY), agent("w")],
        ["__start__ -> boss"],
        agents=named("chief", "x"),
    )
    chosen = {"json": {"next_node": "w"}}

    assert told(graph, {"chief": [chosen, DONE], "x": [TEXT]}) == {
        "chief": [True, True],
        "x": [False],
    }


def test_voters_have_the_facts_and_their_judge_has_not() -> None:
    """C180."""
    config = {
        "voter_agent_ids": ["a", "b"],
        "strategy": "llm_judge",
        "judge_agent_id": "judge",
    }
    graph = doc([node("v", "voting", config=config, **QUERY)], agents=named("a", "b", "judge"))
    replies = {"a": [VOTE], "b": [VOTE], "judge": [{"json": {"verdict": "a"}}]}

    assert told(graph, replies) == {"a": [True], "b": [True], "judge": [False]}


def test_candidates_have_the_facts_and_their_evaluator_has_not() -> None:
    """C180."""
    config = {
        "candidate_agent_id": "maker",
        "evaluator_agent_id": "judge",
        "population_size": 2,
        "max_generations": 1,
    }
    graph = doc([node("e", "evolution", config=config, **QUERY)], agents=named("maker", "judge"))

    assert told(graph, {"maker": [TEXT, TEXT], "judge": [SCORE, SCORE]}) == {
        "maker": [True, True],
        "judge": [False, False],
    }


def test_passes_have_the_facts_and_their_evaluator_has_not() -> None:
    """C180."""
    annealing = {"evaluator_agent_id": "judge", "max_iterations": 2, "threshold": 5}
    graph = doc([agent("a", config={"annealing": annealing}, **QUERY)], agents=named("x", "judge"))

    found = told(graph, {"x": [TEXT, TEXT], "judge": [SCORE, {"json": {"score": 1.9}}]})

    assert found == {"x": [True, True], "judge": [False, False]}


def test_workers_and_synthesizers_have_their_own_facts() -> None:
    """C180."""
    mapped = {"worker_node_id": "w", "static_items": [1, 2]}
    nodes = [
        node("m", "map", config=mapped),
        agent("w", config={"agent_id": "y"}, **QUERY),
        node("s", "synthesizer", config={"agent_id": "z"}, reads=["*"], **QUERY),
    ]
    graph = doc(nodes, ["__start__ -> m -> s"], agents=named("y", "z"))

    assert told(graph, {"y": [TEXT, TEXT], "z": [TEXT]}) == {"y": [True, True], "z": [True]}


def test_peers_of_a_swarm_have_their_own_facts() -> None:
    """C180."""
    over = {"json": {"peer_delegation": {"peer_node_id": "w", "reason": "yours", "context": {}}}}
    nodes = [
        agent("a", config={"swarm": {"peer_nodes": ["w"]}}, **QUERY),
        agent("w", config={"agent_id": "y"}, **QUERY),
    ]
    graph = doc(nodes, ["__start__ -> a"], agents=named("x", "y"))

    assert told(graph, {"x": [over], "y": [TEXT]}) == {"x": [True], "y": [True]}


PATHS = [
    ("$.memory.done", ["done"], []),
    ("$.memory['done'].flag", ["done.flag"], []),
    ("$.memory.done", [], ["UnreadableKey"]),
    ("$.outputs.w", ["done"], ["UnreadableKey"]),
    ("$.input.list[*]", [], ["UnreadableKey"]),
    ("$.goal", [], []),
    ("$..done", [], []),
]


@pytest.mark.parametrize(("path", "reads", "found"), PATHS)
def test_a_condition_by_path_names_only_what_can_be_read(
    path: str, reads: list[str], found: list[str]
) -> None:
    """C17, C190."""
    config = {"agent_id": "x", "managed_nodes": ["w"], "completion_condition": path}
    boss = node("boss", "supervisor", config=config, reads=reads)
    graph = doc([boss, fn("w", writes=["done"])], ["__start__ -> boss"], agents=named("x"))
    seen = check(graph, {"functions": {"w": {"returns": {}}}})

    assert codes(seen, "UnreadableKey") == found
    if found:
        [place] = [p["path"] for p in seen.problems if p["code"] == "UnreadableKey"]
        assert place == "nodes[0].config.completion_condition"


@pytest.mark.parametrize("reads", [["list"], []])
def test_items_by_path_are_those_that_can_be_read(reads: list[str]) -> None:
    """C17, C190."""
    config = {"worker_node_id": "w", "items_path": "$.memory.list[*]"}
    mapped = node("m", "map", config=config, reads=reads)
    graph = doc([mapped, fn("w")], ["__start__ -> m"], initial_memory={"list": [1]})
    seen = check(graph, {"functions": {"w": {"returns": {}}}})

    assert codes(seen, "UnreadableKey") == ([] if reads else ["UnreadableKey"])


def test_a_path_into_an_answer_names_no_key_of_memory() -> None:
    """C17, C190."""
    graph = doc([agent("a", config={"annealing": {"score_path": "$.memory.score"}})])

    assert codes(check(graph), "UnreadableKey") == []
