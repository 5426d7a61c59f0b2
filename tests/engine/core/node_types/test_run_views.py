"""What node types declare for the run view, and the rows that they show while they work."""

from __future__ import annotations

from typing import Any, get_args
from uuid import UUID

import pytest

from engine.core.node_types.catalog import describe
from engine.core.node_types.run_views import ROW_KINDS, ViewKind
from engine.sdk import NODE_TYPES, SCORES, NodeError, NodeResult, NodeType
from tests.contract.harness import doc, node, run
from tests.engine.lab import Lab, document
from tests.engine.node_types import node_types
from tests.engine.nodes.test_map_voting import crashed_before_the_judge
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

DECLARED = {
    "agent": ["scores", "decisions"],
    "evolution": ["generations"],
    "map": ["items"],
    "reflection": ["facts"],
    "subgraph": ["child_run"],
    "supervisor": ["decisions"],
    "verifier": ["verdict"],
    "voting": ["votes"],
}


AGENTS = [{"id": name} for name in ("x", "y", "z", "c", "e")]


def rows(events: Any, view: str) -> list[Any]:
    """Return the rows of a view in a log as it stands on the wire."""
    return [e["row"] for e in events if e["type"] == "RowShown" and e["view"] == view]


@pytest.mark.parametrize("name", [entry.type for entry in NODE_TYPES.all()])
def test_every_type_serves_the_views_that_it_declares(name: str) -> None:
    """K43: A type describes itself, what is special to it in a run included."""
    views = describe(NODE_TYPES.get(name))["views"]

    assert [view["kind"] for view in views] == DECLARED.get(name, [])
    assert all(view["title"] for view in views)


def test_kinds_that_take_rows_are_kinds() -> None:
    assert set(get_args(ViewKind)) > ROW_KINDS


def test_a_supervisor_shows_each_decision_and_that_it_is_done() -> None:
    """C75: Every delegation is on the run page, with the reason."""
    replies = [
        {"json": {"next_node": "w", "reasoning": "first the facts"}},
        {"json": {"next_node": "__done__", "reasoning": "all is there"}},
    ]
    config = {"agent_id": "x", "managed_nodes": ["w"]}
    outcome = run(
        doc([node("s", "supervisor", config=config), node("w", "output")], ["__start__ -> s"]),
        {"agents": {"x": replies}},
    )

    assert outcome.status == "completed"
    assert rows(outcome.events, "decisions") == [
        {"choice": "w", "reason": "first the facts"},
        {"choice": None, "reason": "all is there"},
    ]


def test_votes_are_shown_with_failures_and_the_count() -> None:
    """C111, C116: Who voted what, who failed, and how it was counted."""
    config = {
        "voter_agent_ids": ["x", "y", "z"],
        "strategy": "weighted_vote",
        "weights": {"y": 3},
    }
    script = {
        "x": [{"json": {"vote": "a"}}],
        "y": [{"json": {"vote": "b"}}],
        "z": [{"error": {"status": 400, "message": "no"}}],
    }
    outcome = run(doc([node("v", "voting", config=config)], agents=AGENTS), {"agents": script})
    shown = rows(outcome.events, "votes")

    assert {row["voter"]: row.get("vote") for row in shown[:-1]} == {"x": "a", "y": "b", "z": None}
    assert next(row for row in shown if row.get("voter") == "z")["error"]["message"]
    assert shown[-1] == {
        "tally": [
            {"vote": "b", "weight": 3.0, "voters": ["y"]},
            {"vote": "a", "weight": 1.0, "voters": ["x"]},
        ],
        "winner": "b",
        "strategy": "weighted_vote",
    }


def test_generations_show_best_mean_and_failures() -> None:
    """C147, C150: The fitness of each generation, its temperature, and who fell out."""
    config = {
        "candidate_agent_id": "c",
        "evaluator_agent_id": "e",
        "population_size": 2,
        "max_generations": 2,
        "fitness_threshold": 2,
    }
    script = {
        "c": [{"text": "one"}, {"text": "two"}, {"error": {"status": 400, "message": "no"}}],
        "e": [{"json": {"score": 0.25}}, {"json": {"score": 0.75, "reasoning": "short"}}],
    }
    outcome = run(doc([node("g", "evolution", config=config)], agents=AGENTS), {"agents": script})
    first, second = rows(outcome.events, "generations")

    assert (first["best"], first["mean"], first["count"], first["failed"]) == (0.75, 0.5, 2, 0)
    assert first["top"][0]["fitness"] == 0.75
    assert first["top"][0]["reasoning"] == "short"
    assert (second["best"], second["count"], second["failed"]) == (0.75, 1, 1)
    assert [first["temperature"], second["temperature"]] == [1.0, 0.3]


def test_passes_show_temperature_score_and_feedback() -> None:
    """C120, C124: Each pass with its temperature, its score, and what would be better."""
    annealing = {"evaluator_agent_id": "e", "max_iterations": 2, "threshold": 0.7}
    config = {"agent_id": "x", "prompt": "Write.", "annealing": annealing}
    script = {
        "x": [{"text": "one"}, {"text": "two"}],
        "e": [{"json": {"score": 0.5, "feedback": "longer"}}, {"json": {"score": 0.8}}],
    }
    outcome = run(doc([node("a", "agent", config=config)], agents=AGENTS), {"agents": script})

    assert rows(outcome.events, "scores") == [
        {"pass": 0, "temperature": 1.0, "score": 0.5, "feedback": "longer", "threshold": 0.7},
        {"pass": 1, "temperature": 0.2, "score": 0.8, "feedback": "", "threshold": 0.7},
    ]


def test_a_swarm_shows_who_handed_over_to_whom() -> None:
    """C132: Each hand-over with its reason."""
    over = {"peer_delegation": {"peer_node_id": "b", "reason": "an invoice"}}
    nodes = [
        node("a", "agent", config={"agent_id": "x", "swarm": {"peer_nodes": ["b"]}}),
        node("b", "agent", config={"agent_id": "y", "swarm": {"peer_nodes": ["a"]}}),
    ]
    script = {"x": [{"json": over}], "y": [{"text": "paid"}]}
    outcome = run(doc(nodes, ["__start__ -> a"]), {"agents": script})

    assert rows(outcome.events, "decisions") == [{"choice": "b", "reason": "an invoice", "by": "a"}]


def test_a_verifier_routes_by_its_verdict() -> None:
    """C163: The verdict is a token that edges wait for."""
    config = {"type": "expression", "expression": "input > 1"}
    nodes = [
        node("v", "verifier", reads=["input"], config=config),
        node("yes", "output", config={"value": "'yes'"}),
        node("no", "output", config={"value": "'no'"}),
    ]
    ways: list[Any] = [("v", "yes", {"when": "pass"}), ("v", "no", {"when": "fail"})]
    graph = doc(nodes, ["__start__ -> v", *ways])

    assert [run(graph, input=value).report["result"] for value in (2, 0)] == ["yes", "no"]


@virtually
async def test_a_row_is_shown_once_though_its_code_runs_again() -> None:
    """C110, I12: After a crash the node runs again, and shows only what it had not shown."""
    lab, state = await crashed_before_the_judge()

    assert state.status == "completed"
    assert len(lab.events("RowShown")) == 4
    assert lab.broken == []


class Careless(NodeType):
    """Shows a row of a kind that takes none."""

    type = "t_careless"
    label = "Careless"
    views = (SCORES,)

    async def run(self, ctx: Any, config: Any) -> NodeResult:
        try:
            await ctx.show("items", {})
        except NodeError as error:
            return NodeResult(output=error.code)
        return NodeResult(output="shown")


@virtually
async def test_a_kind_that_takes_no_rows_refuses_one() -> None:
    types = node_types()
    types.register(Careless)
    lab = Lab(document([{"id": "it", "type": "t_careless"}], "__start__ > it"), types=types)
    state = await lab.start()

    assert state.outputs["it"] == "NodeConfigInvalid"


@virtually
async def test_a_child_run_has_an_id_like_any_run() -> None:
    """C86: The id of a child run is a UUID: its page and API are reached like any run's."""
    config = {"subgraph_id": "kid"}
    outer = document([{"id": "it", "type": "subgraph", "config": config}], "__start__ > it")
    kid = document([{"id": "w", "type": "output"}], "__start__ > w", id="kid")
    lab = Lab(outer, kid)
    await lab.start()

    [asked] = lab.events("ChildRunRequested")
    assert str(UUID(asked.data["run_id"])) == asked.data["run_id"]
