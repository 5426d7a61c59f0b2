"""Subgraphs, transitions and evolution under crash, pause and cancel."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from engine.core.graph.document import GraphSpec
from engine.core.node_types.registry import FITNESS
from tests.contract.harness import agent, doc, node, run
from tests.engine.lab import Lab, document
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@FITNESS.register("lab.length")
async def length(ctx: Any, candidate: Any) -> float:
    return len(str(candidate)) / 1000


async def _until(found: Any) -> Any:
    while not found():  # noqa: ASYNC110  virtual time: nothing is really waited for
        await asyncio.sleep(0.005)
    return found()


def nested(*children: dict[str, Any]) -> tuple[GraphSpec, GraphSpec]:
    config = {"subgraph_id": "kid", "input_mapping": {"note": "note"}, "output_mapping": {"x": "y"}}
    outer = document(
        [{"id": "it", "type": "subgraph", "config": config}],
        "__start__ > it",
        initial_memory={"note": 1},
    )
    edges = [f"{a['id']} > {b['id']}" for a, b in zip(children, children[1:], strict=False)]
    kid = document(list(children), f"__start__ > {children[0]['id']}", *edges, id="kid")
    return outer, kid


ASK = {"id": "ask", "type": "question", "config": {"question": "Go?"}}
WRITE = {"id": "w", "type": "t_write", "config": {"key": "x"}, "write_keys": ["x"]}


@virtually
async def test_a_child_survives_crashes_while_it_waits_and_while_it_works() -> None:
    """C86."""
    lab = Lab(*nested(ASK, {"id": "t", "type": "t_reason"}, WRITE))
    state = await lab.start()
    [child] = state.child_runs
    assert state.status == "waiting"
    await lab.crash()
    await lab.answer(child, values="yes")
    await lab.crash()
    await lab.answer(child, values="more")
    await lab.crash()
    state = await lab.runner.settled("r")

    assert (state.status, state.memory["y"]) == ("completed", 2)
    assert len(lab.medium.logs) == 2
    assert len(lab.events("ChildRunRequested")) == len(lab.events("ChildRunEnded")) == 1
    assert state.spent_usd == lab.world.charges[child]


@virtually
async def test_a_cancelled_parent_takes_its_child_along() -> None:
    """C86."""
    lab = Lab(*nested(ASK))
    state = await lab.start()
    [child] = state.child_runs
    await lab.runner.cancel("r", "ann")
    state = await lab.runner.settled("r")
    below = await lab.store.state(child)

    assert (state.status, below.status) == ("cancelled", "cancelled")
    assert below.interrupts == {}
    assert lab.broken == []


@virtually
async def test_a_run_that_fails_waits_for_the_run_below_it_and_counts_its_spend() -> None:
    """C84."""
    outer, kid = nested({"id": "t", "type": "t_reason"})
    nodes = [node.model_dump(mode="json", exclude_none=True) for node in outer.nodes]
    late = {"id": "late", "type": "t_write", "config": {"key": "no", "after_ms": 15}}
    lab = Lab(document([*nodes, late], "__start__ > it", "__start__ > late"), kid)
    state = await lab.start()
    [child] = [run_id for run_id in lab.medium.logs if run_id != "r"]
    below = await lab.store.state(child)

    assert state.status == "failed"
    assert below.status == "cancelled"
    assert state.spent_usd == below.spent_usd > 0
    assert len(lab.events("ChildRunEnded")) == 1


def evolution(**config: Any) -> GraphSpec:
    known = {
        "candidate_agent_id": "ann",
        "fitness_function": "lab.length",
        "population_size": 3,
        "max_generations": 3,
        "fitness_threshold": 2,
        "selection_strategy": "tournament",
    }
    return document(
        [{"id": "it", "type": "evolution", "config": {**known, **config}}],
        "__start__ > it",
        goal="Win.",
    )


@pytest.mark.parametrize("after", [1, 4, 8])
def test_a_crash_buys_no_candidate_twice_and_draws_the_same_parents(after: int) -> None:
    """C142."""

    @virtually
    async def crashed() -> None:
        lab = Lab(evolution())
        await lab.begin()
        await _until(lambda: len(lab.events("StepCompleted")) >= after)
        await lab.crash()
        state = await lab.runner.settled("r")

        assert state.status == "completed", state.error
        assert state.outputs["it"]["generation"] == 3
        done = Counter(event.data["path"] for event in lab.events("StepCompleted"))
        assert set(done.values()) == {1}
        assert len([e for e in lab.events("StepRecorded") if e.data["kind"] == "random"]) == 2
        assert state.spent_usd >= lab.world.charges["r"] > 0

    crashed()


@virtually
async def test_a_cancel_ends_an_evolution() -> None:
    """C142."""
    lab = Lab(evolution())
    await lab.begin()
    await _until(lambda: len(lab.events("StepCompleted")) >= 2)
    await lab.runner.cancel("r", "ann")
    state = await lab.runner.settled("r")

    assert state.status == "cancelled"
    assert state.holds == {}


def test_a_person_may_be_the_fitness() -> None:
    """C141, C78."""

    async def judged(ctx: Any, candidate: Any) -> float:
        return float(await ctx.interrupt({"kind": "text", "question": f"How good is {candidate}?"}))

    config = {
        "candidate_agent_id": "x",
        "fitness_function": "judged",
        "population_size": 2,
        "max_generations": 1,
    }
    graph = doc([node("e", "evolution", config=config)], agents=[{"id": "x"}])
    script = {"agents": {"x": [{"text": "one"}, {"text": "two"}]}}
    waits = run(graph, script, handlers={"judged": judged})
    done = run(
        graph,
        script,
        {"e": [{"selected": "0.2"}, {"selected": "0.7"}]},
        handlers={"judged": judged},
    )

    assert (waits.status, len(waits.report["interrupts"])) == ("waiting", 2)
    assert (done.memory["e_winner"], len(done.models)) == ("two", 2)


def test_a_question_about_money_waits_in_the_child_and_resumes_it() -> None:
    """C86, C45."""

    def used(tokens: int) -> dict[str, Any]:
        return {"text": "ok", "usage": {"input_tokens": tokens, "output_tokens": 0}}

    kid = doc([agent("b", budget={"max_tokens": 5, "on_breach": "ask"})], id="kid")
    graph = doc([node("s", "subgraph", config={"subgraph_id": "kid"})])
    script = {"default": [used(10)]}
    waits = run(graph, script, graphs=[kid])
    raised = run(graph, script, {"b": [{"decision": "raise", "max_tokens": 10}]}, graphs=[kid])

    assert waits.report["interrupts"][0]["kind"] == "budget"
    assert (raised.exit, raised.report["spend"]["tokens"]) == (0, 10)
